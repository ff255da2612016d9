import { expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

it("takes the version that is named and posts comments when told to, and still says its own version", async () => {
  const sites = await twoSites();
  const [source, target] = [sites.source, sites.target];
  source.edit.guide(1, { summary: "As released." });
  source.edit.releaseGuide(1, { title: "Spring" });
  source.edit.guide(1, { summary: "As it is." });
  source.edit.comment("guide", 1, "A fine guide to warping.");
  const done = await sites.migrate("--content-version", "released", "--post-comments", "--only", "guide,category");
  expect([done.code, done.stderr + done.stdout]).toEqual([
    0,
    expect.stringMatching(
      /2 never released \(NOT included because of --content-version released\): guide\/2, guide\/3/,
    ),
  ]);
  expect(target.state().guides.map(({ title, summary }) => [title, summary])).toEqual([
    ["Warp the Wren", "As released."],
  ]);
  expect(target.state().comments.map(({ text }) => text)).toEqual(["A fine guide to warping."]);
  // The choices of the run before hold for what goes on with it.
  const verified = await sites.run("verify", "work", target.url);
  expect([verified.code, verified.stdout]).toEqual([0, expect.not.stringContaining("comments")]);
  expect((await sites.run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+/);
});
