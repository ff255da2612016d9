import { expect, it } from "vitest";
import { shownPlan } from "../helpers/plan-files.js";
import { stepBody, twoGuides } from "../helpers/small-sites.js";

it("names with each refused item what to do, and the option that includes it", async () => {
  const pair = await twoGuides();
  // As a link to the old site the reference is longer, and the line exceeds 350 characters.
  pair.source.edit.addStep(1, stepBody(2, `${"Wind the warp again. ".repeat(16)}[guide|999|so]`));
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  const { html } = await shownPlan(pair, { onExisting: "fail", fit: "refuse" });
  expect(html).toMatch(/class="remedy"><bdi>Choose --on-existing adopt/);
  expect(html).toMatch(/To include this item: <code><bdi>--fit split</);
});
