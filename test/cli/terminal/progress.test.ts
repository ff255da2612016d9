import { describe, expect, it } from "vitest";
import { PROGRAM, plain, startOnTerminal } from "../../helpers/pseudo-terminal.js";
import { runHere } from "../../helpers/run-here.js";
import { createScreen } from "../../helpers/screen.js";
import { type TwoSites, twoSites } from "../../helpers/two-sites.js";

const STAGES = /^(?:list|extract|media|archive|check|load|import|repair|publish|undo|verify) /;

/** A migration on a terminal of so many columns. */
function migration({ source, target, directory, environment }: TwoSites, columns: number, flags: readonly string[]) {
  const words = [process.execPath, PROGRAM, "migrate", source.url, target.url, ...flags];
  return startOnTerminal(words, { columns, directory, environment });
}

describe("progress on a terminal", { tags: ["python3"] }, () => {
  it("is shown once, whole, at 40 and at 200 columns", () => Promise.all([40, 200].map(standsWhole)));

  async function standsWhole(columns: number): Promise<void> {
    const sites = await twoSites();
    const terminal = migration(sites, columns, ["--rate", "20"]);
    const { code } = await terminal.ended;
    const screen = createScreen(columns);
    screen.write(terminal.written());
    const rows = screen.rows();
    const stages = rows.filter((row) => STAGES.test(row)).map((row) => row.split(" ")[0]);
    expect([code, new Set(stages).size]).toEqual([0, stages.length]);
    expect(stages.slice(0, 2)).toEqual(["list", "extract"]);
    expect(rows.find((row) => row.startsWith("extract"))).toMatch(columns < 80 ? /^extract \d+\/\d+/ : /==== \d+\/\d+/);
    const all = plain(terminal.written());
    expect(all).toMatch(/\d of 20 requests\/s to 127\.0\.0\.1/);
    expect(all).toMatch(/limited by the rate of 127\.0\.0\.1/);
    // Nothing is between the bars and the first words, and no bar is below them.
    const words = rows.findIndex((row) => row.startsWith("kind "));
    expect(rows.slice(0, words).filter((row) => !STAGES.test(row))).toEqual([]);
  }

  it("fits a window that is made narrower and wider while it is on", async () => {
    const sites = await twoSites();
    const terminal = migration(sites, 100, ["--rate", "20"]);
    await terminal.seen(/extract .*=/);
    terminal.resize(40, 40);
    await terminal.seen(/extract \d+\/\d+/);
    terminal.resize(120, 40);
    await terminal.seen(/load .*=/);
    expect((await terminal.ended).code).toBe(0);
    const narrow = plain(terminal.written()).split(/[\r\n]/);
    expect(narrow.filter((line) => line.length > 99 && STAGES.test(line))).toEqual([]);
  });

  it.each([{ TERM: "dumb" }, { CI: "true" }, { CI: "true", GUIDEFERRY_NO_PROGRESS: "true" }])(
    "is lines without anything that a terminal obeys with %o, or none on request",
    async (environment) => {
      const sites = await twoSites();
      const { code, stdout, stderr } = await runHere(["extract", sites.source.url], {
        directory: sites.directory,
        environment: { ...sites.environment, ...environment },
        terminal: true,
      });
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining("\u001b")]);
      expect(/^(?:\S+ )?extract: 4 of 4/m.test(stderr)).toBe(!("GUIDEFERRY_NO_PROGRESS" in environment));
    },
  );
});
