import { expect, test } from "vitest";
import { makeUser } from "../../helpers/people.js";
import { pngOf } from "../../helpers/png.js";
import { type Pair, post, stepBody, stepIds, twoGuides, upload } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "./contents.js";

const warp = 1;

async function undo(pair: Pair, options: Parameters<typeof undoAt>[2] = {}) {
  const undone = await undoAt(pair.target, pair.workspace, options);
  expect(undone).toMatchObject({ refusals: [], summary: { failed: 0, left: 0 } });
  return undone;
}

test("a guide and a page that a run deleted come back: the guide by the site's own restore", async () => {
  const pair = await twoGuides();
  await pair.run();
  const before = contentsOf(pair.target);
  pair.source.edit.deleteGuide(warp);
  pair.source.edit.deleteWiki("WIKI", "Sheds");
  await pair.run({ deleteRemoved: true, maxDeletions: { count: 9 } });
  expect(pair.target.state().guides).toHaveLength(1);
  await undo(pair);
  expect(contentsOf(pair.target)).toEqual(before);
});

test("where the site restores nothing a deleted guide is made anew, whole, and the ledger knows its new id", async () => {
  const pair = await twoGuides();
  pair.source.edit.setGuideTags(warp, ["wool"]);
  await pair.run();
  const { guideid, ...before } = pair.guide("Warp");
  pair.source.edit.deleteGuide(warp);
  await pair.run({ deleteRemoved: true, maxDeletions: { count: 9 } });
  pair.target.faults.decide(({ path }) => (path.endsWith("/restore") ? { kind: "status", status: 403 } : undefined));
  await undo(pair);
  const now = pair.guide("Warp");
  expect(now.guideid).not.toBe(guideid);
  expect(now).toMatchObject({ summary: before["summary"], public: true, category: "Looms" });
  expect(now.steps.map((step) => step.lines[0]?.text)).toEqual(["First.", "Second."]);
  pair.source.edit.restoreGuide(warp);
  pair.source.edit.guide(warp, { summary: "New." });
  await pair.run();
  expect(pair.guide("Warp")).toMatchObject({ guideid: now.guideid, summary: "New." });
});

test("viewers whom a run let in are taken out again, those whom it took out are let in, and others' stay", async () => {
  const pair = await twoGuides();
  const [ann, bob] = [makeUser(pair.source, "ann"), makeUser(pair.source, "bob")];
  const [first, second, third] = [
    makeUser(pair.target, "ann"),
    makeUser(pair.target, "bob"),
    makeUser(pair.target, "theirs"),
  ];
  pair.source.edit.setPublic(warp, false);
  pair.source.edit.setViewers(warp, { users: [ann] });
  await pair.run();
  expect(viewersOf(pair)).toEqual([first]);
  pair.source.edit.setViewers(warp, { users: [bob] });
  pair.source.edit.guide(warp, { summary: "Seen by Bob." });
  await pair.run();
  expect(viewersOf(pair)).toEqual([second]);
  pair.target.edit.setViewers(pair.guide("Warp").guideid, { users: [second, third] });
  await undo(pair);
  expect(viewersOf(pair)).toEqual([first, third]);
});

test("comments that a run posted go, but not one that somebody answered", async () => {
  const pair = await twoGuides();
  await pair.run({ postComments: true });
  const before = contentsOf(pair.target);
  pair.source.edit.comment("guide", warp, "A fine guide to warping.");
  pair.source.edit.comment("guide", 2, "A fine guide to wefting.");
  for (const guide of [1, 2]) pair.source.edit.guide(guide, { summary: "Commented." });
  await pair.run({ postComments: true });
  expect(pair.target.state().comments).toHaveLength(2);
  await undo(pair);
  expect(contentsOf(pair.target)).toEqual(before);
  await pair.run({ postComments: true });
  expect(pair.target.state().comments).toHaveLength(2);
  const [comment] = await commentsOn(pair, "Warp");
  pair.target.edit.comment("guide", pair.guide("Warp").guideid, "An answer of somebody's.", comment);
  const { refusals } = await undoAt(pair.target, pair.workspace);
  expect(refusals).toMatchObject([{ item: "guide/1", reason: "commented" }]);
  expect(pair.target.state().comments).toHaveLength(2);
});

function viewersOf(pair: Pair): readonly number[] {
  return (pair.guide("Warp")["viewers"] as { readonly users: readonly number[] }).users.toSorted((a, b) => a - b);
}

/** The numbers of the comments on a guide of the target. */
async function commentsOn(pair: Pair, title: string): Promise<readonly number[]> {
  const headers = { authorization: `api ${pair.target.token}` };
  const answer = await fetch(`${pair.target.url}/guides/${pair.guide(title).guideid}`, { headers });
  const { comments } = (await answer.json()) as { readonly comments: readonly { readonly commentid: number }[] };
  return comments.map(({ commentid }) => commentid);
}

test("a field that no call empties again is listed, and the rest of the guide is put back", async () => {
  const pair = await twoGuides({ source: { dialect: "ifixit" }, target: { dialect: "ifixit" } });
  await pair.run();
  const image = await upload(pair.source, "images", "loom.png", pngOf(1000, 800));
  await post(pair.source, `guides/${warp}?revisionid=${await revisionOf(pair)}`, { image, summary: "New." }, "PATCH");
  await pair.run();
  const { refusals } = await undoAt(pair.target, pair.workspace);
  expect(refusals.map(({ thing, reason }) => [thing, reason])).toContainEqual(["guide/1", "no-call"]);
  expect(refusals[0]?.message).toMatch(/^image: no call/);
  expect(pair.guide("Warp")).toMatchObject({ summary: "", image: expect.any(String) });
});

async function revisionOf({ source }: Pair): Promise<number> {
  const headers = { authorization: `api ${source.token}` };
  const answer = await fetch(`${source.url}/guides/${warp}`, { headers });
  return ((await answer.json()) as { readonly revisionid: number }).revisionid;
}

test("a guide that was there and was taken over by its title becomes theirs again, steps and all", async () => {
  const pair = await twoGuides();
  await post(pair.target, "wikis", { namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
  const body = { category: "Looms", type: "how-to", subject: "Warp", title: "Warp", summary: "Theirs." };
  const theirs = pair.target.edit.createGuide(body);
  for (const [at, text] of ["One.", "Two.", "Three."].entries())
    pair.target.edit.addStep(theirs, stepBody(at + 1, text));
  const before = contentsOf(pair.target);
  await pair.run({ match: "title", onExisting: "update" });
  expect(stepIds(pair.target, theirs)).toHaveLength(2);
  await undo(pair);
  expect(contentsOf(pair.target)).toEqual(before);
});
