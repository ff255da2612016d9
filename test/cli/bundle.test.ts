import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fillWorkspace } from "../helpers/fill-workspace.js";
import { twoSites } from "../helpers/two-sites.js";

const SAMPLE = fileURLToPath(new URL("../../samples/site", import.meta.url));

describe("a bundle as a target", () => {
  it("takes a whole site, from which an empty one is filled without a difference; again it is the same file", async () => {
    const sites = await twoSites({ source: { site: SAMPLE } });
    const bundle = join(sites.directory, "out.omanual");
    const first = await sites.run("migrate", sites.source.url, "out.omanual");
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/written, read back and compared: 115 items, no difference/),
    ]);
    expect(first.stdout).toMatch(/has no place for \d+ values; guideferry\.json in the bundle keeps them/);
    const bytes = await readFile(bundle);
    const second = await sites.run("migrate", sites.source.url, "out.omanual", "--strict");
    // One guide of the sample has a part that the service itself does not give out.
    expect([second.code, second.stdout]).toEqual([12, expect.stringMatching(/out\.omanual: unchanged/)]);
    expect((await readFile(bundle)).equals(bytes)).toBe(true);
    const back = await sites.run("migrate", "out.omanual", sites.target.url, "--workspace", "back");
    expect([back.code, back.stdout]).toEqual([
      0,
      expect.stringMatching(/Read back and compared: 73 items.*no difference but/),
    ]);
    expect(back.stdout).toMatch(/36 files/);
  });

  it("takes one guide with what it needs, or each category by itself; verify compares", async () => {
    const sites = await twoSites();
    const one = await sites.run("migrate", sites.source.url, "one.omanual", "--only", "guide", "--include", "guide/1");
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/compared: 2 items, no difference/)]);
    expect((await sites.run("extract", sites.source.url)).code).toBe(0);
    expect((await sites.run("verify", "work", "one.omanual")).code).toBe(6);
    expect((await sites.run("verify", "work", "one.omanual", "--only", "guide", "--include", "guide/1")).code).toBe(0);
    const split = await sites.run("load", "work", "manuals", "--split", "category");
    expect([split.code, await readdir(join(sites.directory, "manuals"))]).toEqual([0, ["Looms.omanual"]]);
  });

  it("is refused in words before anything is read, where it can't be one", async () => {
    const sites = await twoSites();
    await writeFile(join(sites.directory, "mine.omanual"), "mine");
    const refused: readonly (readonly [RegExp, ...string[]])[] = [
      [/mine\.omanual is there already/, "migrate", sites.source.url, "mine.omanual"],
      [/--dry-run is about a site/, "migrate", sites.source.url, "out.omanual", "--dry-run"],
      [/A plan needs a site/, "plan", sites.source.url, "out.omanual"],
      [/Name a folder, or leave out --split/, "migrate", sites.source.url, sites.target.url, "--split", "category"],
      [/mine\.omanual, which is read/, "migrate", "mine.omanual", "mine.omanual"],
    ];
    for (const [words, ...line] of refused) {
      const { code, stderr } = await sites.run(...line);
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    }
    expect(await readFile(join(sites.directory, "mine.omanual"), "utf8")).toBe("mine");
    expect(sites.source.recorded).toEqual([]);
  });

  it("leaves no half file when it is killed while it is written", async () => {
    const sites = await twoSites();
    await fillWorkspace(join(sites.directory, "work"), 300);
    const temporary = join(sites.directory, "work/temporary");
    const running = sites.start("load", "work", "manuals/out.omanual");
    while (!(await namesIn(temporary)).some((name) => name.startsWith("bundle-"))) {
      expect(running.child.exitCode).toBeNull();
      await setTimeout(5);
    }
    running.child.kill("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
    expect(await readdir(sites.directory)).not.toContain("manuals");
    const again = await sites.run("load", "work", "manuals/out.omanual");
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/no difference/)]);
    expect(await readdir(join(sites.directory, "manuals"))).toEqual(["out.omanual"]);
    expect(await readdir(temporary)).toEqual([]);
  });
});

/** Nothing where there is no such folder yet. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? readdir(folder) : [];
}
