import { expect, test } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Sandbox } from "../../../src/sandbox/index.js";
import { isSilent, lineBody, linesAt, stepAt } from "../../helpers/conflicts.js";
import { extractFrom, issuesOf, loadInto, type MigrationOptions } from "../../helpers/migration.js";
import { pngOf } from "../../helpers/png.js";
import { type Pair, post, twoGuides, upload } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";

const MERGE: MigrationOptions = { onConflict: "merge" };
/** One after the other, so that the guides have the same ids at both sides. */
const FIRST: MigrationOptions = { concurrency: 1 };

/** A picture of its own in the media manager of the source. */
function picture(pair: Pair, height: number): Promise<number> {
  return upload(pair.source, "images", `shed-${height}.png`, pngOf(800, height));
}

/** Puts a picture into the first step of the source's guide. */
async function show(pair: Pair, image: number): Promise<void> {
  const revisionid = (await read(pair.source)).steps[0]?.revisionid;
  const path = `guides/1/steps/${stepAt(pair, "source", 0)}?revisionid=${revisionid}`;
  await post(pair.source, path, { media: { type: "image", data: [image] } }, "PATCH");
}

/** The guide as the site's own account reads it. */
async function read({ url, token }: Sandbox): Promise<GuideAnswer> {
  const answer = await fetch(`${url}/guides/1`, { headers: { authorization: `api ${token}` } });
  return (await answer.json()) as GuideAnswer;
}

interface GuideAnswer {
  readonly revisionid: number;
  readonly guide_revisionid?: number;
  readonly image: { readonly id: number } | null;
  readonly steps: readonly {
    readonly stepid: number;
    readonly revisionid: number;
    readonly media: { readonly data: readonly { readonly id: number }[] };
  }[];
}

/** The ids of the pictures in the first step of the target. */
async function pictures({ target }: Pair): Promise<readonly number[]> {
  return (await read(target)).steps[0]?.media.data.map(({ id }) => id) ?? [];
}

test("pictures that the site encoded anew are no edit of anybody, and a new one of ours goes in beside their text", async () => {
  const pair = await twoGuides();
  await show(pair, await picture(pair, 600));
  await pair.run(FIRST);
  const before = await pictures(pair);
  pair.target.edit.step(1, stepAt(pair, "target", 0), lineBody("Theirs."));
  pair.source.edit.step(1, stepAt(pair, "source", 0), { title: "Ours" });
  await pair.run(MERGE);
  expect(linesAt(pair)[0]).toBe("Theirs.");
  expect(await pictures(pair)).toEqual(before);
  const merged = (await issuesOf(pair, "guide/1")).filter(({ code }) => code.startsWith("merge-"));
  expect(merged).toMatchObject([{ code: "merge-kept-theirs", path: "step/1.lines" }]);
  await show(pair, await picture(pair, 700));
  await pair.run(MERGE);
  expect(await pictures(pair)).not.toEqual(before);
  expect(linesAt(pair)[0]).toBe("Theirs.");
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
});

test("two pictures in the same place are a clash", async () => {
  const pair = await twoGuides();
  await show(pair, await picture(pair, 600));
  await pair.run(FIRST);
  pair.target.edit.exchangeImage(1, stepAt(pair, "target", 0), "theirs");
  pair.target.edit.step(1, stepAt(pair, "target", 0), lineBody("Theirs."));
  const theirs = await pictures(pair);
  await show(pair, await picture(pair, 700));
  await pair.run(MERGE);
  expect(await pictures(pair)).toEqual(theirs);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({ code: "merge-clash", path: "step/1.media" }),
  );
  await isSilent(pair);
});

test("a picture of a guide that alone changed is sent although our own steps moved the guide's revision", async () => {
  const pair = await twoGuides();
  const give = async (height: number): Promise<void> => {
    const image = await picture(pair, height);
    const { revisionid, guide_revisionid = revisionid } = await read(pair.source);
    await post(pair.source, `guides/1?revisionid=${guide_revisionid}`, { image }, "PATCH");
  };
  await give(600);
  await pair.run(FIRST);
  pair.source.edit.step(1, stepAt(pair, "source", 0), lineBody("New."));
  await pair.run(FIRST);
  const before = (await read(pair.target)).image;
  await give(700);
  await pair.run(FIRST);
  expect((await read(pair.target)).image?.id).not.toBe(before?.id);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a merge whose answer got lost is found done, and merged once", async () => {
  const pair = await twoGuides();
  await pair.run(FIRST);
  pair.target.edit.guide(1, { conclusion: "Theirs." });
  pair.source.edit.guide(1, { summary: "Ours." });
  await extractFrom(pair.source, pair.workspace);
  const kill = new AbortController();
  let patches = 0;
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "PATCH" || path !== "/guides/1") return undefined;
    patches += 1;
    if (patches < 2) return undefined;
    return { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) };
  });
  await expect(loadInto(pair.target, pair.workspace, { ...MERGE, kill: kill.signal })).rejects.toThrow();
  pair.target.faults.clear();
  expect(pair.guide("Warp")).toMatchObject({ conclusion: "Theirs.", summary: "Ours." });
  expect(await pair.run(MERGE)).toMatchObject({ failed: 0 });
  expect(pair.guide("Warp")).toMatchObject({ conclusion: "Theirs.", summary: "Ours." });
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
});

test.each(["update", "merge"] as const)(
  "an undo of a run with --on-conflict %s brings theirs back, and not what we had left",
  async (onConflict) => {
    const pair = await twoGuides();
    await pair.run(FIRST);
    pair.target.edit.guide(1, { summary: "Theirs.", conclusion: "Theirs." });
    pair.source.edit.guide(1, { introduction: "Ours.", ...(onConflict === "update" ? { summary: "Ours." } : {}) });
    await pair.run({ onConflict });
    expect(pair.guide("Warp")).toMatchObject({ introduction: "Ours." });
    await undoAt(pair.target, pair.workspace);
    expect(pair.guide("Warp")).toMatchObject({ introduction: "", summary: "Theirs.", conclusion: "Theirs." });
  },
);

test("an undo puts a page and a guide that were taken over back as they were", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
  pair.target.edit.createGuide({ category: "Looms", type: "how-to", subject: "Their subject", title: "Warp" });
  pair.target.edit.addStep(1, { orderby: 1, title: "Their step", ...lineBody("Theirs.") });
  await pair.run({ onExisting: "update", match: "title" });
  expect(pair.guide("Warp")).toMatchObject({ subject: "Warp", public: true });
  await undoAt(pair.target, pair.workspace);
  expect(pair.target.state().wikis).toMatchObject([{ title: "Looms", contents: "Theirs." }]);
  expect(pair.target.state().guides).toMatchObject([{ title: "Warp", subject: "Their subject", public: false }]);
  expect(linesAt(pair)).toEqual(["Theirs."]);
});

test("a note on what stands apart ends with the write that ends it, whichever write found it", async () => {
  const pair = await twoGuides();
  await pair.run(FIRST);
  const { guideid } = pair.guide("Warp");
  pair.target.edit.guide(guideid, { summary: "Theirs." });
  pair.source.edit.setPublic(1, false);
  await pair.run(MERGE);
  expect(await keptIn(pair)).toMatchObject([{ path: "summary" }]);
  pair.source.edit.guide(1, { summary: "Theirs.", conclusion: "Ours." });
  await pair.run(MERGE);
  expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs.", conclusion: "Ours.", public: false });
  expect(await keptIn(pair)).toEqual([]);
  await isSilent(pair);
  pair.target.edit.guide(guideid, { introduction: "Theirs." });
  pair.source.edit.guide(1, { conclusion: "Ours again." });
  await pair.run(MERGE);
  expect(await keptIn(pair)).toMatchObject([{ path: "introduction" }]);
  pair.target.edit.deleteGuide(guideid);
  await pair.run(MERGE);
  expect(await keptIn(pair)).toEqual([]);
});

async function keptIn(pair: Pair): Promise<readonly Issue[]> {
  return (await issuesOf(pair, "guide/1")).filter(({ code }) => code === "merge-kept-theirs");
}
