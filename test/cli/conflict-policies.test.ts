import { expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

it("merges both sides, which verify finds explained, and writes nothing in a second run", async () => {
  const sites = await twoSites();
  expect((await sites.migrate("--concurrency", "1")).code).toBe(0);
  sites.target.edit.guide(1, { conclusion: "Theirs.", introduction: "Theirs." });
  sites.source.edit.guide(1, { summary: "Ours.", introduction: "Ours." });
  const merged = await sites.migrate("--on-conflict", "merge");
  // The introduction was changed on both sides, and waits for a decision.
  expect([merged.code, merged.stderr]).toEqual([3, expect.not.stringMatching(/error/i)]);
  expect(sites.target.state().guides[0]).toMatchObject({
    conclusion: "Theirs.",
    introduction: "Theirs.",
    summary: "Ours.",
  });
  expect((await sites.run("verify", "work", sites.target.url)).code).toBe(0);
  const before = sites.writes();
  expect((await sites.migrate("--on-conflict", "merge")).code).toBe(3);
  expect(sites.writes()).toBe(before);
});

it("takes a guide of the same title for ours with --match title only", async () => {
  const sites = await twoSites();
  const title = "Warp the Wren";
  const { category, type, subject } = sites.source.state().guides[0] ?? {};
  sites.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
  sites.target.edit.setPublic(sites.target.edit.createGuide({ category, type, subject, title }), true);
  expect((await sites.migrate("--match", "title")).code).toBe(0);
  const titles = sites.target.state().guides.map((guide) => guide["title"]);
  expect(titles.filter((each) => each === title)).toHaveLength(1);
  expect((await sites.run("retry", "work")).code).toBe(0);
  const wrong = await sites.migrate("--match", "name");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--match.*expected/s)]);
});
