import { expect, it } from "vitest";
import { shownPlan } from "../helpers/plan-files.js";
import { stepBody, twoGuides } from "../helpers/small-sites.js";

it("groups refused items by cause, with what to do and the option that includes them", async () => {
  const pair = await twoGuides();
  // As a link to the old site the reference is longer, and the line exceeds 350 characters.
  for (const guide of [1, 2])
    pair.source.edit.addStep(guide, stepBody(2, `${"Wind the warp again. ".repeat(14 + guide)}[guide|999|so]`));
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  const { html } = await shownPlan(pair, { onExisting: "fail", fit: "refuse" });
  const groups = html.match(/<section class="card cause[^>]*>.*?<\/section>/gs) ?? [];
  expect(groups).toEqual([
    expect.stringMatching(/<h3>1 item<.*What to do:<\/strong> <bdi>Choose --on-existing adopt/s),
    expect.stringMatching(
      /<h3>2 items<.*To include these items:<\/strong> <code><bdi>--fit split<.*guide\/1<.*step 2, line 1<.*guide\/2</s,
    ),
  ]);
});

it("shows a changed text in two columns, a new one alone, both sites, and lines to sign", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(1, { introduction: "Use it by hand. It hangs.", conclusion: "The end." });
  await pair.run();
  pair.source.edit.guide(1, { introduction: "Use it by hand. It will hang.", summary: "New." });
  const { html } = await shownPlan(pair);
  const words = (part: string): string => part.replaceAll(/<[^>]*>/g, "");
  const [, old = "", now = ""] =
    /<h3><bdi>Introduction.*?<div class="side old">(.*?)<\/div><div class="side new">(.*?)<\/div>/s.exec(html) ?? [];
  expect([words(old), words(now)]).toEqual([
    "Old:Use it by hand. It [removed: hangs].",
    "New:Use it by hand. It [added: will hang].",
  ]);
  expect(html).toMatch(/<h3><bdi>Summary<\/bdi><\/h3><div class="side new"><p[^>]*><bdi>New\.</);
  const hosts = [pair.source, pair.target].map(({ url }) => new URL(url).host);
  expect(words(/<h1>.*?<\/h1>/s.exec(html)?.[0] ?? "")).toBe(`sandbox (${hosts[0]}) → to  sandbox (${hosts[1]})`);
  expect(html).toMatch(/<li[^>]*><a href="#change"><strong>1<\/strong> To change</);
  expect(html).toMatch(
    /I approve the plan of .*: 0 items to create, 1 to change.*<dt>Name<.*<dt>Date<.*<dt>Signature</s,
  );
});
