import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Guide } from "../../../src/core/model/item.js";
import type { FitContext, FitPolicy } from "../../../transforms/fit/context.js";
import { fitGuide } from "../../../transforms/fit/fit.js";
import { anyGuide } from "./arbitrary.js";
import { contextOf, guideItem, images, line, lines, part, step } from "./make.js";

/** Text as long as it may get: a reference becomes an absolute link to the old site. */
const grow = (text: string) =>
  text.replace(/\[(?:guide|image)\|/g, "[https://old.example/Guide/Some+long+title/").replace(/e/g, "ee");

const policies = fc.constantFrom<FitPolicy>("split", "trim");
const measures = fc.constantFrom((text: string) => text, grow);

const contexts: fc.Arbitrary<FitContext> = fc.tuple(policies, measures).map(([policy, measure]) =>
  contextOf({
    policy,
    measure,
    limits: { guideTypes: ["how-to", "teardown"], flags: ["GUIDE_STARRED"] },
    imageSize: (key) => (Number(key.slice(6)) % 5 === 0 ? { width: 799, height: 600 } : { width: 800, height: 600 }),
    mediaRefused: (key) => key.endsWith("/2"),
  }),
);

/** Everything that the service would refuse a guide for. */
function breaches(guide: Guide, { limits, measure, imageSize, mediaRefused }: FitContext): readonly string[] {
  const found: string[] = [];
  const check = (fine: boolean, what: string) => fine || found.push(what);
  check(guide.summary.length <= 155, "summary");
  check(measure(guide.introduction, "page").split(/\r\n|\r|\n/).length < 50, "introduction");
  check(limits.guideTypes?.includes(guide.type) ?? true, "type");
  check(guide.difficulty === null || limits.difficulties.includes(guide.difficulty), "difficulty");
  check(
    guide.tags.every((tag) => tag.length <= 32),
    "tags",
  );
  check(
    guide.flags.every((flag) => limits.flags?.includes(flag)),
    "flags",
  );
  const used = [guide.image, guide.introductionVideo, guide.featuredDocument, ...guide.documents];
  check(!used.some((key) => key !== null && mediaRefused(key)), "media");
  for (const { name, quantity } of [...guide.parts, ...guide.tools]) {
    check(name.trim() !== "", "part without a name");
    check(quantity === null || (Number.isInteger(quantity) && quantity > 0), "quantity");
  }
  for (const { lines: all, media } of guide.steps) {
    check(all.length >= 1 && all.length <= 8, "lines");
    for (const [index, { text, level }] of all.entries()) {
      check(text.trim() !== "" && measure(text, "line").length <= 350, `text ${text}`);
      check(level >= 0 && level <= Math.min(2, (all[index - 1]?.level ?? -1) + 1), "level");
    }
    const shown = media.type === "images" ? media.images : [];
    check(shown.length <= 3 && !shown.some((key) => mediaRefused(key) || imageSize(key)?.width === 799), "images");
    check(media.type !== "video" || !mediaRefused(media.video), "video");
  }
  check(new Set(guide.steps.map((one) => one.key)).size === guide.steps.length, "keys");
  return found;
}

/** What is left of texts without markers, spaces and what stands for nothing. */
function bare(texts: readonly string[]): string {
  return texts.join("").replace(/[\s'+~^,`…]/g, "");
}

describe("fitGuide", () => {
  it("gives back the very same item when nothing breaks a limit", () => {
    const item = guideItem({ steps: [step({ lines: lines(8), media: { type: "images", images: images(3) } })] });
    for (const policy of ["refuse", "split", "trim"] as const) {
      expect(fitGuide(item, contextOf({ policy }))).toEqual({ item, issues: [], refused: [] });
      expect(fitGuide(item, contextOf({ policy })).item).toBe(item);
    }
  });

  it("refuses an item under the policy refuse, and tells of every breach in it", () => {
    const item = guideItem({
      summary: "s".repeat(156),
      introduction: "x\n".repeat(60),
      type: "repair",
      difficulty: "Leicht",
      tags: ["t".repeat(33)],
      flags: ["GUIDE_STARRED"],
      image: "image/2",
      parts: [part({ quantity: 0 })],
      tools: [part({ name: "" })],
      steps: [
        step({ lines: [...lines(7), line("", 1), line("x".repeat(351), 3)] }),
        step({
          key: "step/2",
          lines: [],
          media: { type: "images", images: ["image/1", "image/3", "image/4", "image/5"] },
        }),
      ],
    });
    const context = contextOf({
      policy: "refuse",
      limits: { guideTypes: ["how-to"], flags: [] },
      imageSize: (key) => ({ width: 800, height: key === "image/5" ? 599 : 600 }),
      mediaRefused: (key) => key === "image/2",
    });
    const { item: fitted, issues, refused } = fitGuide(item, context);
    expect(fitted).toBeUndefined();
    expect(issues).toEqual([]);
    expect(refused.map((issue) => `${issue.level} ${issue.key} ${issue.code} ${issue.path}`)).toEqual([
      "error guide/1 summary-too-long summary",
      "error guide/1 introduction-too-long introduction",
      "error guide/1 line-level steps[0].lines",
      "error guide/1 line-empty steps[0].lines[7].text",
      "error guide/1 line-too-long steps[0].lines[8].text",
      "error guide/1 step-without-lines steps[1].lines",
      "error guide/1 image-too-small steps[1].media.images[3]",
      "error guide/1 step-too-many-lines steps[0].lines",
      "error guide/1 step-too-many-images steps[1].media",
      "error guide/1 media-refused image",
      "error guide/1 part-quantity parts[0].quantity",
      "error guide/1 part-name tools[0].name",
      "error guide/1 tag-too-long tags[0]",
      "error guide/1 guide-type type",
      "error guide/1 difficulty difficulty",
    ]);
    expect(refused.every((issue) => issue.remedy?.includes("--fit split or --fit trim"))).toBe(true);
  });

  it("changes nothing under the policy refuse but what it says never refuses", () => {
    const item = guideItem({ flags: ["GUIDE_STARRED", "GUIDE_NEW"] });
    const { item: fitted, issues } = fitGuide(item, contextOf({ policy: "refuse", limits: { flags: [] } }));
    expect(fitted?.body).toEqual({ ...item.body, flags: [] });
    expect(issues.map((issue) => issue.level)).toEqual(["loss", "note"]);
  });

  it("makes of any guide one that keeps every limit, or refuses it", () => {
    fc.assert(
      fc.property(anyGuide, contexts, (body, context) => {
        const item = guideItem(body);
        const { item: fitted, issues, refused } = fitGuide(item, context);
        expect(fitted === undefined).toBe(refused.length > 0);
        if (fitted === undefined) return;
        expect(breaches(fitted.body, context)).toEqual([]);
        expect(breaches(item.body, context).length > 0).toBe(fitted !== item);
        expect(issues.length > 0).toBe(fitted !== item);
      }),
      { numRuns: 80 },
    );
  });

  it("finds nothing to do in what it made", () => {
    fc.assert(
      fc.property(anyGuide, contexts, (body, context) => {
        const once = fitGuide(guideItem(body), context).item;
        if (once === undefined) return;
        const twice = fitGuide(once, context);
        expect(twice.item).toBe(once);
        expect(twice.issues).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same result for the same guide", () => {
    fc.assert(
      fc.property(anyGuide, contexts, (body, context) => {
        expect(fitGuide(guideItem(body), context)).toEqual(fitGuide(guideItem(structuredClone(body)), context));
      }),
      { numRuns: 20 },
    );
  });

  it("loses no character of any text when it splits", () => {
    fc.assert(
      fc.property(anyGuide, measures, (body, measure) => {
        const { item } = fitGuide(guideItem(body), contextOf({ measure }));
        if (item === undefined) return;
        const texts = (guide: Guide) => guide.steps.filter((one) => one.lines.some((each) => bare([each.text]) !== ""));
        const linesOf = (guide: Guide) => texts(guide).flatMap((one) => one.lines.map((each) => each.text));
        const titles = body.steps
          .filter((one) => one.lines.every((each) => each.text.trim() === ""))
          .map((one) => one.title);
        if (titles.every((title) => title.trim() === "")) expect(bare(linesOf(item.body))).toBe(bare(linesOf(body)));
        const long = body.summary.trim().length > 155 && !body.introduction.startsWith(body.summary.trim());
        const before = [long ? body.summary : "", body.introduction, body.conclusion];
        expect(bare([item.body.introduction, item.body.conclusion])).toBe(bare(before));
      }),
      { numRuns: 50 },
    );
  });

  it("keeps every image that is large enough, in its order, when it splits", () => {
    fc.assert(
      fc.property(anyGuide, (body) => {
        const shown = (guide: Guide) =>
          guide.steps.flatMap((one) => (one.media.type === "images" ? one.media.images : []));
        const { item } = fitGuide(guideItem(body), contextOf());
        if (item !== undefined) expect(shown(item.body)).toEqual(shown(body));
      }),
      { numRuns: 30 },
    );
  });
});
