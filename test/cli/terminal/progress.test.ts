import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM, plain, startOnTerminal } from "../../helpers/pseudo-terminal.js";
import { runHere } from "../../helpers/run-here.js";
import { createScreen } from "../../helpers/screen.js";
import { type TwoSites, twoSites } from "../../helpers/two-sites.js";

/** The lines of stages, by their names; `total` is the line of the run. */
const STAGES = /^(?:list|extract|media|prepare|load|relink|publish|verify) /;
const NAMES = ["list", "extract", "prepare", "load", "relink", "publish", "verify"];

/** A migration on a terminal of so many columns. */
function migration({ source, target, directory, environment }: TwoSites, columns: number, flags: readonly string[]) {
  const words = [process.execPath, PROGRAM, "migrate", source.url, target.url, ...flags];
  return startOnTerminal(words, { columns, directory, environment });
}

describe("progress on a terminal", { tags: ["python3"] }, () => {
  it("has one line for each stage and one for the run, at 40, 80 and 200 columns", () =>
    Promise.all([40, 80, 200].map(standsWhole)));

  async function standsWhole(columns: number): Promise<void> {
    const { source, target, directory, environment } = await twoSites();
    // On a screen of the process of the test: a terminal of its own shows nothing more.
    const { code, stdout, stderr } = await runHere(["migrate", source.url, target.url, "--rate", "20"], {
      environment: { ...environment, GUIDEFERRY_WORKSPACE: join(directory, "work") },
      terminal: { columns },
    });
    const written = stderr + stdout;
    const screen = createScreen(columns);
    screen.write(written);
    const rows = screen.rows();
    const stages = rows.filter((row) => STAGES.test(row));
    expect([code, stages.map((row) => row.split(" ")[0])]).toEqual([0, NAMES]);
    // Every stage is over, with its time; no estimate and no item of the run is left.
    for (const row of stages) expect(row).toMatch(/^\S+ +\d+(?: of \d+)? +done in \d+:\d\d$/);
    expect(rows[stages.length]).toMatch(/^total +ended after \d+:\d\d$/);
    expect(rows.slice(stages.length + 1).join("\n")).not.toMatch(/^(?:item|total) |limited by| left$/m);
    const all = plain(written);
    expect(all).toMatch(columns < 80 ? /^total +\d+:\d\d, /m : /^total +\[=*-+\] \d+:\d\d, time left not known yet/m);
    expect(all).toMatch(/^total .* about \d+:\d\d left$/m);
    expect(all).toMatch(/^item +guide\/\d$/m);
    expect(all).toMatch(/\d of 20 requests\/s to 127\./);
    if (columns > 40) expect(all).toMatch(/limited by the rate of 127\.0\.0\.1/);
  }

  it("stays whole in a window that becomes narrower and wider", async () => {
    const sites = await twoSites();
    const terminal = migration(sites, 100, ["--rate", "20"]);
    await terminal.seen(/total .*=/);
    terminal.resize(40, 40);
    await terminal.seen(/total +\d+:\d\d, /);
    terminal.resize(120, 40);
    await terminal.seen(/total .*=/);
    expect((await terminal.ended).code).toBe(0);
    const lines = plain(terminal.written()).split(/[\r\n]/);
    expect(lines.filter((line) => line.length > 119 && /^(?:item|total) /.test(line))).toEqual([]);
  });

  it.each([{ TERM: "dumb" }, { CI: "true" }, { CI: "true", GUIDEFERRY_NO_PROGRESS: "true" }])(
    "is lines without anything that a terminal obeys with %o, or none on request",
    async (environment) => {
      const sites = await twoSites();
      const { code, stdout, stderr } = await runHere(["extract", sites.source.url], {
        directory: sites.directory,
        environment: { ...sites.environment, ...environment },
        terminal: { columns: 80 },
      });
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining("\u001b")]);
      expect(/^(?:\S+ )?extract: 4 of 4/m.test(stderr)).toBe(!("GUIDEFERRY_NO_PROGRESS" in environment));
    },
  );
});
