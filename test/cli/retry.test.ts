import { describe, expect, it } from "vitest";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/**
 * At the source within the limit of 350; as a link to the old site, which it becomes, the reference
 * is longer.
 */
const LONG_LINE = `${"Wind the warp again. ".repeat(16)}[guide|999|so]`;

/** Sites whose guides all have a line that is too long for the target. */
async function sitesOfLongLines(): Promise<TwoSites> {
  const sites = await twoSites();
  for (const guide of [1, 2, 3]) {
    const lines = [{ text: LONG_LINE, bullet: "black", level: 0 }];
    sites.source.edit.addStep(guide, { orderby: 2, title: "Long", lines });
  }
  return sites;
}

describe("what the last load chose", () => {
  it("holds for retry, which would else refuse what only failed by chance, and for verify", async () => {
    const sites = await sitesOfLongLines();
    sites.target.faults.inject({ kind: "status", status: 403 }, { method: "POST", path: "/guides", times: 1 });
    expect((await sites.migrate("--fit", "split", "--assume-limits", "--concurrency", "1")).code).toBe(3);
    const retried = await sites.run("retry", "work");
    expect([retried.code, retried.stdout]).toEqual([0, expect.not.stringMatching(/not sent/i)]);
    expect(sites.target.state().guides.length).toBe(3);
    const verified = await sites.run("verify", "work", sites.target.url);
    expect([verified.code, verified.stdout]).toEqual([0, expect.not.stringMatching(/not sent/i)]);
  });

  it("is not what a plan tried out since, and gives way to what is said now", async () => {
    const sites = await sitesOfLongLines();
    await sites.migrate("--fit", "split");
    await sites.run("plan", "work", sites.target.url, "--fit", "refuse");
    const remembered = await sites.run("verify", "work", sites.target.url);
    expect(remembered.stdout).toMatch(/^Read back and compared 4 items/);
    const said = await sites.run("verify", "work", sites.target.url, "--fit", "refuse");
    expect(said.stdout).toMatch(/Not compared, because the site would refuse them: 3 items/);
  });
});

describe("guideferry retry", () => {
  it("warns when the run before was stopped before its end: more is missing than what failed", async () => {
    const sites = await twoSites();
    sites.target.faults.decide(({ method, path }) =>
      method === "POST" && path === "/guides" ? { kind: "status", status: 403 } : undefined,
    );
    expect((await sites.migrate("--max-failures", "1")).code).toBe(8);
    sites.target.faults.clear();
    const { stderr } = await sites.run("retry", "work");
    expect(stderr).toMatch(/warning: The last run, guideferry migrate, was not finished\. /);
    expect((await sites.run("retry", "work")).stderr).not.toMatch(/warning/);
  });
});
