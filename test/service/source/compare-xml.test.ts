import { expect, test } from "vitest";
import type { GuideItem } from "../../../src/core/model/item.js";
import { disagreements } from "../../../src/service/source/xml.js";
import { SAMPLE_SITE, startSite } from "../../sync/extract-site.js";
import { guide } from "./look.js";

async function sample(): Promise<GuideItem> {
  return guide((await startSite({ site: SAMPLE_SITE })).source, "guide/1");
}

test("one picture under two addresses is no disagreement, another picture is one", async () => {
  const json = await sample();
  const moved = (change: (url: string) => string): GuideItem => ({
    ...json,
    media: json.media.map((use) => ({ ...use, url: use.url === null ? null : change(use.url) })),
  });
  const elsewhere = moved((url) => url.replace(/^http:\/\/[^/]+/, "https://cdn.example/igi").replace(/\.\w+$/, "?v=2"));
  expect(disagreements(json, elsewhere)).toEqual([]);
  const other = moved((url) => url.replace(/\w+(?=\.\w+$)/, "Another"));
  expect(disagreements(json, other)).toContainEqual(expect.objectContaining({ path: "image", level: "note" }));
});

test("line ends, repeated spaces and decoded references are no disagreement, other words are one", async () => {
  const json = await sample();
  const [step] = json.body.steps;
  if (step === undefined) throw new Error("guide 1 has no steps");
  const saying = (text: string): GuideItem => ({
    ...json,
    body: { ...json.body, summary: text, steps: [{ ...step, lines: [{ ...step.lines[0], ...LINE, text }] }] },
  });
  expect(disagreements(saying("A &amp; B\n\n C&nbsp;D "), saying("A & B  C\u00a0D"))).toEqual([]);
  expect(disagreements(saying("3.5 mm"), saying("35 mm")).map(({ path }) => path)).toEqual([
    "summary",
    "steps[0].lines[0].text",
  ]);
});

const LINE = { bullet: "black", bulletStyle: null, level: 0 } as const;

test("an XML that is another version altogether is told of in some twenty notes", async () => {
  const json = await sample();
  const other: GuideItem = { ...json, body: { ...json.body, title: "Another", steps: [] } };
  const issues = disagreements(json, other);
  expect(issues).toHaveLength(21);
  expect(issues.at(-1)?.message).toMatch(/^The XML differs from the JSON in \d+ more places\.$/);
});
