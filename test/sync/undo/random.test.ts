import fc from "fast-check";
import { expect, test } from "vitest";
import "../../helpers/seed.js";
import { type Pair, stepBody, stepIds, twoGuides } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "./contents.js";

/** Edits at the source, each by two small numbers. */
const EDITS: Readonly<Record<string, (pair: Pair, one: number, other: number) => void>> = {
  fields: ({ source }, one, other) =>
    source.edit.guide(guideOf(one), { summary: `Summary ${other}.`, conclusion: `End ${other}.` }),
  step: ({ source }, one, other) => {
    const steps = stepIds(source, guideOf(one));
    const step = steps[other % Math.max(1, steps.length)];
    if (step !== undefined) source.edit.step(guideOf(one), step, line(`Changed ${other}.`));
  },
  addStep: ({ source }, one, other) => {
    const place = (other % (stepIds(source, guideOf(one)).length + 1)) + 1;
    source.edit.addStep(guideOf(one), stepBody(place, `Added ${other}.`));
  },
  deleteStep: ({ source }, one, other) => {
    const steps = stepIds(source, guideOf(one));
    if (steps.length > 1) source.edit.deleteStep(guideOf(one), steps[other % steps.length] ?? 0);
  },
  order: ({ source }, one) => source.edit.orderSteps(guideOf(one), stepIds(source, guideOf(one)).toReversed()),
  tags: ({ source }, one, other) => source.edit.setGuideTags(guideOf(one), [`tag ${other}`]),
  visibility: ({ source }, one, other) => source.edit.setPublic(guideOf(one), other % 2 === 0),
  flags: ({ source }, one, other) => source.edit.setGuideFlags(guideOf(one), other % 2 === 0 ? [] : ["GUIDE_STARRED"]),
  prerequisite: ({ source }, one) => source.edit.guide(guideOf(one), { prerequisites: [guideOf(one + 1)] }),
  page: ({ source }, _one, other) =>
    source.edit.wiki("WIKI", "Sheds", { contents: `Page ${other}.`, description: `Of ${other}.` }),
  pageTags: ({ source }, _one, other) => source.edit.setWikiTags("WIKI", "Sheds", [`tag ${other}`]),
  newGuide: ({ source }, one, other) => {
    const guide = source.edit.createGuide({
      category: "Looms",
      type: "how-to",
      subject: "X",
      title: `New ${one} ${other}`,
    });
    source.edit.addStep(guide, stepBody(1, `See [guide|${guideOf(one)}].`));
  },
  newPage: ({ source }, one, other) => {
    const title = `New page ${one} ${other}`;
    if (source.state().wikis.some((page) => page["title"] === title)) return;
    source.edit.createWiki({ namespace: "CATEGORY", title, contents: "New." });
    source.edit.setParent("CATEGORY", title, "Looms");
  },
};

const guideOf = (number: number): number => (number % 2) + 1;
const line = (text: string) => ({ lines: [{ text, bullet: "black", level: 0 }] });

const edits = fc.array(fc.tuple(fc.constantFrom(...Object.keys(EDITS)), fc.nat(3), fc.nat(9)), {
  minLength: 1,
  maxLength: 8,
});

test("whatever two runs of loads did, undoing them one after the other gives back what was there before each", async () => {
  await fc.assert(
    fc.asyncProperty(edits, edits, async (first, second) => {
      const pair = await twoGuides();
      const states = [contentsOf(pair.target)];
      for (const changes of [[], first, second]) {
        for (const [name, one, other] of changes) EDITS[name]?.(pair, one, other);
        await pair.run();
        states.push(contentsOf(pair.target));
      }
      for (let now = states.pop(); states.length > 0; now = states.pop()) {
        if (JSON.stringify(now) === JSON.stringify(states.at(-1))) continue;
        expect(await undoAt(pair.target, pair.workspace)).toMatchObject({
          refusals: [],
          summary: { failed: 0, left: 0 },
        });
        expect(contentsOf(pair.target)).toEqual(states.at(-1));
      }
    }),
    { numRuns: Number(process.env["UNDO_RUNS"] ?? 3) },
  );
}, 600_000);
