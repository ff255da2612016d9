import { expect, test } from "vitest";
import { type Pair, stepBody, twoGuides } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "./contents.js";

const line = (text: string) => ({ lines: [{ text, bullet: "black", level: 0 }] });

async function undo(pair: Pair, options: Parameters<typeof undoAt>[2] = {}) {
  const undone = await undoAt(pair.target, pair.workspace, options);
  return { ...undone, why: Object.fromEntries(undone.refusals.map(({ thing, reason }) => [thing, reason])) };
}

const EDITS: readonly (readonly [string, string, (pair: Pair) => void])[] = [
  ["edited", "guide/1", ({ target, guide }) => target.edit.guide(guide("Warp").guideid, { summary: "Theirs." })],
  ["commented", "guide/1", ({ target, guide }) => void target.edit.comment("guide", guide("Warp").guideid, "Fine.")],
  [
    "steps-edited",
    "guide/1",
    ({ target, guide }) =>
      target.edit.step(guide("Warp").guideid, guide("Warp").steps[0]?.stepid ?? 0, line("Theirs.")),
  ],
  [
    "steps-edited",
    "guide/1",
    ({ target, guide }) => void target.edit.addStep(guide("Warp").guideid, stepBody(3, "Theirs.")),
  ],
  [
    "steps-edited",
    "guide/1",
    ({ target, guide }) => target.edit.deleteStep(guide("Warp").guideid, guide("Warp").steps[1]?.stepid ?? 0),
  ],
  ["tagged", "guide/1", ({ target, guide }) => target.edit.setGuideTags(guide("Warp").guideid, ["theirs"])],
  ["tagged", "wiki/WIKI/Sheds", ({ target }) => target.edit.setWikiTags("WIKI", "Sheds", ["theirs"])],
  [
    "commented",
    "wiki/WIKI/Sheds",
    ({ target }) => void target.edit.comment("wiki", pageId(target), "A comment of theirs."),
  ],
  [
    "translated",
    "wiki/WIKI/Sheds",
    ({ target }) => target.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Über Fächer." }),
  ],
  ["edited", "wiki/WIKI/Sheds", ({ target }) => target.edit.wiki("WIKI", "Sheds", { contents: "Theirs." })],
];

function pageId(target: Pair["target"]): number {
  return Number(target.state().wikis.find(({ title }) => title === "Sheds")?.["wikiid"]);
}

test.each(EDITS)("what was made and is %s by somebody stays, as they left it: %s", async (reason, thing, edit) => {
  const pair = await twoGuides({ target: { languages: ["en", "de"] } });
  await pair.run();
  edit(pair);
  const theirs = contentsOf(pair.target) as { readonly guides: readonly { readonly title: string }[] };
  const { why, summary } = await undo(pair);
  expect(why).toMatchObject({ [thing]: reason });
  expect(summary).toMatchObject({ failed: 0 });
  const { guides, wikis } = contentsOf(pair.target) as typeof theirs & {
    readonly wikis: readonly { readonly title: string }[];
  };
  if (thing === "guide/1") {
    expect(guides).toEqual(theirs.guides.filter(({ title }) => title === "Warp"));
    // It can't be without its category.
    expect(why["category/Looms"]).toBe("used");
    expect(wikis).toHaveLength(1);
  } else {
    expect(guides).toEqual([]);
    expect(new Set(wikis.map(({ title }) => title))).toEqual(new Set(["Sheds"]));
  }
});

test("a guide of a site that tells its languages stays when somebody translated it", async () => {
  const pair = await twoGuides({ target: { dialect: "ifixit", languages: ["en", "de"] } });
  await pair.run();
  pair.target.edit.translateGuide(pair.guide("Warp").guideid, "de", { title: "Kette" });
  expect((await undo(pair)).why).toMatchObject({ "guide/1": "translated" });
  expect(pair.target.state().guides.map(({ title }) => title)).toEqual(["Warp", "Kette"]);
});
