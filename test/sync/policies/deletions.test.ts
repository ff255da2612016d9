import { expect, test } from "vitest";
import { SafetyLimitError } from "../../../src/core/errors.js";
import type { Sandbox } from "../../../src/sandbox/index.js";
import { issuesOf } from "../../helpers/migration.js";
import { post, stepBody, stepIds, twoGuides, upload } from "../../helpers/small-sites.js";

function lines(text: string) {
  return { lines: [{ text, bullet: "black", level: 0 }] };
}

const ALL = { deleteRemoved: true, maxDeletions: { share: 1 } } as const;

test("what is gone at the source is listed and stays, also when its brother changes", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteGuide(1);
  pair.source.edit.guide(2, { summary: "New." });
  expect(await pair.run()).toMatchObject({ failed: 0, deletedAtSource: { listed: 1, deleted: 0 } });
  expect(pair.guide("Warp")).toMatchObject({ public: true });
  expect(await issuesOf(pair, "guide/1")).toEqual([
    expect.objectContaining({ code: "gone-at-source", level: "note", message: expect.stringMatching(/still exists/) }),
  ]);
  const before = pair.writes().length;
  expect(await pair.run()).toMatchObject({ writes: 0, deletedAtSource: { listed: 1, deleted: 0 } });
  expect(pair.writes()).toHaveLength(before);
});

test("--delete-removed deletes guides, pages and categories that are gone, each once, and tells it once", async () => {
  const pair = await twoGuides();
  const { source, target } = pair;
  source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "By hand." });
  source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  source.edit.guide(2, { prerequisites: [1] });
  await pair.run();
  for (const id of [1, 2]) source.edit.deleteGuide(id);
  source.edit.deleteWiki("WIKI", "Sheds");
  source.edit.deleteWiki("CATEGORY", "Hand Looms");
  source.edit.deleteWiki("CATEGORY", "Looms");
  source.edit.createWiki({ namespace: "WIKI", title: "Last", contents: "The last one." });
  const seen = pair.writes().length;
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { listed: 5, deleted: 5 } });
  expect(target.state().guides).toEqual([]);
  expect(target.state().wikis.map((wiki) => wiki["title"])).toEqual(["Last"]);
  const deletions = pair
    .writes()
    .slice(seen)
    .filter((write) => write.startsWith("DELETE"));
  // The guide that needs the other one goes first, and a category before the one above it.
  expect(deletions.map((write) => write.replace("/api/2.0", ""))).toEqual([
    "DELETE /guides/2",
    "DELETE /guides/1",
    "DELETE /wikis/WIKI/Sheds",
    "DELETE /wikis/CATEGORY/Hand%20Looms",
    "DELETE /wikis/CATEGORY/Looms",
  ]);
  expect(await issuesOf(pair, "guide/1")).toEqual([
    expect.objectContaining({
      code: "gone-at-source",
      message: expect.stringMatching(/this run deleted it on the target/),
    }),
  ]);
  expect(await pair.run(ALL)).toMatchObject({ writes: 0, deletedAtSource: { listed: 0, deleted: 0 } });
  expect(await issuesOf(pair, "guide/1")).toEqual([]);
});

for (const onConflict of ["skip", "update", "merge", "fail"] as const) {
  test(`what somebody edited at the target is not deleted under --on-conflict ${onConflict}`, async () => {
    const pair = await twoGuides();
    await pair.run();
    const { target, source } = pair;
    target.edit.guide(pair.guide("Warp").guideid, { summary: "Theirs." });
    const [step] = pair.guide("Weft").steps;
    target.edit.step(pair.guide("Weft").guideid, step?.stepid ?? 0, lines("Theirs."));
    target.edit.wiki("WIKI", "Sheds", { contents: "Theirs." });
    for (const id of [1, 2]) source.edit.deleteGuide(id);
    source.edit.deleteWiki("WIKI", "Sheds");
    const options = { ...ALL, onConflict };
    expect(await pair.run(options)).toMatchObject({ failed: 0, writes: 0, deletedAtSource: { listed: 3, deleted: 0 } });
    expect(target.state().guides).toHaveLength(2);
    expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs." });
    expect(target.state().wikis.map((wiki) => wiki["contents"])).toContain("Theirs.");
    for (const key of ["guide/1", "guide/2", "wiki/WIKI/Sheds"] as const)
      expect(await issuesOf(pair, key)).toContainEqual(
        expect.objectContaining({ code: "gone-at-source", message: expect.stringMatching(/somebody edited it/) }),
      );
  });
}

test("a step that somebody added, took away or moved at the target keeps its guide", async () => {
  for (const act of ["add", "remove", "order"] as const) {
    const pair = await twoGuides();
    await pair.run();
    const { guideid, steps } = pair.guide("Warp");
    const [first, second] = steps.map(({ stepid }) => stepid);
    if (act === "add") pair.target.edit.addStep(guideid, stepBody(3, "Theirs."));
    if (act === "remove") pair.target.edit.deleteStep(guideid, first ?? 0);
    if (act === "order") pair.target.edit.orderSteps(guideid, [second ?? 0, first ?? 0]);
    pair.source.edit.deleteGuide(1);
    expect(await pair.run(ALL)).toMatchObject({ deletedAtSource: { listed: 1, deleted: 0 } });
    expect(pair.target.state().guides).toHaveLength(2);
  }
});

test("an edit between the look and the deletion keeps the guide", async () => {
  const pair = await twoGuides();
  await pair.run();
  const { guideid, steps } = pair.guide("Warp");
  pair.source.edit.deleteGuide(1);
  pair.target.faults.decide(({ method, path }) => {
    if (method === "DELETE" && path.endsWith(`/guides/${guideid}`))
      pair.target.edit.step(guideid, steps[0]?.stepid ?? 0, lines("Theirs, just now."));
    return undefined;
  });
  expect(await pair.run({ ...ALL, onConflict: "update" })).toMatchObject({
    deletedAtSource: { listed: 1, deleted: 0 },
  });
  expect(pair.guide("Warp").steps[0]?.lines[0]?.text).toBe("Theirs, just now.");
});

test("a page that was there before us is never deleted, adopted or written over", async () => {
  for (const onExisting of ["adopt", "update"] as const) {
    const pair = await twoGuides();
    pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
    await pair.run({ onExisting });
    pair.source.edit.deleteWiki("WIKI", "Sheds");
    expect(await pair.run({ ...ALL, onExisting })).toMatchObject({ deletedAtSource: { listed: 1, deleted: 0 } });
    expect(pair.target.state().wikis.map((wiki) => wiki["title"])).toContain("Sheds");
  }
});

test("too much gone stops the run before anything is written; 0, a number and 100% work", async () => {
  const pair = await twoGuides();
  await pair.run();
  for (const id of [1, 2]) pair.source.edit.deleteGuide(id);
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "New." });
  const before = pair.writes().length;
  const error = await pair.run({ deleteRemoved: true }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SafetyLimitError);
  expect(String(error)).toMatch(/2 of the 4 items .*\(2 guides\).*guide\/1 "Warp", guide\/2 "Weft"/);
  expect(pair.writes()).toHaveLength(before);
  const limited = (limit: { count: number } | { share: number }) =>
    pair.run({ deleteRemoved: true, maxDeletions: limit });
  await expect(limited({ count: 1 })).rejects.toThrow(SafetyLimitError);
  await expect(limited({ count: 0 })).rejects.toThrow(SafetyLimitError);
  await expect(limited({ share: 0 })).rejects.toThrow(SafetyLimitError);
  expect(pair.target.state().guides).toHaveLength(2);
  expect(await limited({ count: 2 })).toMatchObject({ deletedAtSource: { deleted: 2 } });
  expect(pair.target.state().guides).toHaveLength(0);
});

test("without --delete-removed nothing stops for what is gone", async () => {
  const pair = await twoGuides();
  await pair.run();
  for (const id of [1, 2]) pair.source.edit.deleteGuide(id);
  expect(await pair.run({ maxDeletions: { count: 0 } })).toMatchObject({ deletedAtSource: { listed: 2, deleted: 0 } });
});

test("what comes back at the source after its deletion is made anew, whole, and what refers to it points to it", async () => {
  const pair = await twoGuides();
  pair.source.edit.setGuideTags(1, ["wool"]);
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "See [guide|1|this one]." });
  await pair.run();
  const first = pair.guide("Warp").guideid;
  pair.source.edit.deleteGuide(1);
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { deleted: 1 } });
  const sheds = () => String(pair.target.state().wikis.find((wiki) => wiki["title"] === "Sheds")?.["contents"]);
  expect(sheds()).not.toContain(`[guide|${first}`);
  pair.source.edit.restoreGuide(1);
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, heldBack: [], deletedAtSource: { listed: 0 } });
  const second = pair.guide("Warp").guideid;
  expect(second).not.toBe(first);
  expect(pair.guide("Warp")).toMatchObject({ public: true, tags: ["wool"] });
  expect(sheds()).toContain(`[guide|${second}`);
  expect((await pair.run(ALL)).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a run that is killed while it deletes goes on, and what it deleted already is no failure", async () => {
  const pair = await twoGuides();
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "See [guide|1|this one] and [guide|2|that one]." });
  await pair.run();
  for (const id of [1, 2]) pair.source.edit.deleteGuide(id);
  const kill = new AbortController();
  pair.target.faults.decide(({ method, path }) =>
    method === "DELETE" && path.includes("/guides/")
      ? { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) }
      : undefined,
  );
  await expect(pair.run({ ...ALL, kill: kill.signal, concurrency: 1 })).rejects.toThrow();
  pair.target.faults.clear();
  expect(pair.target.state().guides).toHaveLength(1);
  // The one that is away already is gone at both ends.
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { listed: 1, deleted: 1 } });
  expect(pair.target.state().guides).toHaveLength(0);
  // Nothing at the target leads to what is away.
  expect(
    pair.target
      .state()
      .wikis.map((wiki) => String(wiki["contents"]))
      .join(),
  ).not.toContain("[guide|");
  expect((await pair.run(ALL)).writes).toBe(0);
});

test("a category that others put something under is left, and the rest goes on", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Theirs", contents: "Mine." });
  pair.target.edit.setParent("CATEGORY", "Theirs", "Looms");
  for (const id of [1, 2]) pair.source.edit.deleteGuide(id);
  pair.source.edit.deleteWiki("CATEGORY", "Looms");
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { listed: 3, deleted: 2 } });
  expect(pair.target.state().wikis.map((wiki) => wiki["title"])).toEqual(expect.arrayContaining(["Looms", "Theirs"]));
});

test("inside a guide, steps, tags and documents that are gone at the source go at the target too", async () => {
  const pair = await twoGuides();
  const { source } = pair;
  const document = await upload(source, "uploads", "manual.pdf", Buffer.from("%PDF-1.4 invented"));
  // As the account that owns the document: nobody else may put it in.
  await changeAtSource(source, { documents: [document] });
  source.edit.setGuideTags(1, ["wool", "silk"]);
  await pair.run();
  expect(pair.guide("Warp")["documents"]).toHaveLength(1);
  const [first] = pair.guide("Warp").steps;
  source.edit.deleteStep(1, stepIds(source, 1)[1] ?? 0);
  source.edit.setGuideTags(1, ["silk"]);
  source.edit.guide(1, { documents: [] });
  expect(await pair.run()).toMatchObject({ failed: 0, deletedAtSource: { listed: 0 } });
  expect(pair.guide("Warp").steps.map(({ stepid }) => stepid)).toEqual([first?.stepid]);
  expect(pair.guide("Warp")).toMatchObject({ tags: ["silk"], documents: [] });
  expect((await pair.run()).writes).toBe(0);
});

async function changeAtSource(source: Sandbox, body: Readonly<Record<string, unknown>>): Promise<void> {
  const headers = { authorization: `api ${source.token}` };
  const answer = await fetch(`${source.url}/guides/1`, { headers });
  const { guide_revisionid: revision } = (await answer.json()) as { readonly guide_revisionid: number };
  await post(source, `guides/1?revisionid=${revision}`, body, "PATCH");
}
