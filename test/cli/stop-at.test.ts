import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { backedUpSite } from "../helpers/backed-up-site.js";
import { flipBit } from "../helpers/damage-archive.js";
import { twoSites } from "../helpers/two-sites.js";
import { withResolvers } from "../helpers/with-resolvers.js";

const OVER = /warning: The time of --max-duration is over\. Nothing new is started; running work is finished\./;

/** Answers the n-th request that counts only when it is let go. */
function hold({ faults }: Sandbox, at: number, counts: (method: string, path: string) => boolean): () => void {
  const released = withResolvers();
  let seen = 0;
  faults.decide(async ({ method, path }) => {
    if (!counts(method, path)) return undefined;
    seen += 1;
    if (seen === at) await released.promise;
    return undefined;
  });
  return released.resolve;
}

describe("a run whose time is over", () => {
  it("finishes what runs, ends with 4, says why and how to go on, and the same command goes on", async () => {
    const sites = await twoSites();
    const release = hold(sites.target, 3, (method) => method !== "GET");
    const running = sites.startMigration("--concurrency", "1", "--max-duration", "1s");
    await running.seen(OVER);
    release();
    const { code, stderr } = await running.ended;
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^\S+ Stops at \d{4}-\d\d-\d\d \d\d:\d\d \(--max-duration\), unless it finishes earlier\.$/m,
    );
    const end = /The time of --max-duration is over\. .*\bstopped\b.*To continue:\n {2}guideferry (.*)\n$/i;
    const [, line] = end.exec(stderr) ?? [];
    expect(line).toBe(`migrate ${sites.source.url} ${sites.target.url} --concurrency 1 --max-duration 1s`);
    // The third write is what ran, unless the machine was too busy to come so far.
    expect(sites.writes()).toBeLessThanOrEqual(3);
    expect((await sites.run("status", "work")).stdout).toMatch(/ with exit code 4: stopped before the end/);
    sites.target.faults.clear();
    const again = await sites.migrate();
    expect([again.code, sites.target.state().guides.length]).toEqual([0, 3]);
  });

  it("says that nothing of it is kept where that is so", async () => {
    const site = await backedUpSite();
    for (const guide of ["guide/4", "guide/5"]) await flipBit(site.repository, guide);
    const release = hold(site.sandbox, 1, (_method, path) => /\/guides\/[45]$/.test(path));
    const running = site.start("repair", "repo", site.sandbox.url, "--max-duration", "1s");
    await running.seen(OVER);
    release();
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([4, expect.stringMatching(/the same command starts again from the beginning\.\n$/)]);
  });

  it("is refused where no clock shows it", async () => {
    const sites = await twoSites();
    const { code, stderr } = await sites.migrate("--stop-at", "24:00");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--stop-at is "24:00", expected a time of day from 00:00 to 23:59, such as 06:00.'),
    ]);
    const noted = await sites.migrate("--stop-at", "6:05", "--dry-run");
    expect([noted.code, noted.stderr]).toEqual([
      0,
      expect.stringMatching(/^\S+ Stops at \d{4}-\d\d-\d\d 06:05 \(--stop-at\), unless it finishes earlier\.$/m),
    ]);
  });
});
