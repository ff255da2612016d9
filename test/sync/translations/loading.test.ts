import { expect, test } from "vitest";
import { extractFrom, issuesOf, planAt } from "../../helpers/migration.js";
import { type Pair, stepBody, stepIds } from "../../helpers/small-sites.js";
import {
  carry,
  GERMAN,
  guideIn,
  lineBody,
  sourceId,
  textsIn,
  titlesAt,
  translatedPair,
} from "../../helpers/translated-pair.js";
import { undoAt } from "../../helpers/undo.js";

const german = (pair: Pair) => guideIn(pair.target, pair.guide("Warp").guideid, "de");
const germanTexts = async (pair: Pair) => textsIn(await german(pair));
/** Of the one translation at the source. */
const KEY = "guide/1@de";

/**
 * What a run sent that changed something. A 409 did not: edits of steps move the revision of their
 * guide.
 */
async function writesOf(pair: Pair, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = pair.target.recorded.length;
  await work();
  return pair.target.recorded
    .slice(before)
    .filter(({ method, status }) => method !== "GET" && status !== 409)
    .map(({ method, path, query }) => `${method} ${path}${query.includes("langid=de") ? " de" : ""}`);
}

/** Edits of a translation alone show in no list of a site (docs/design/reading-a-site.md). */
function touch(pair: Pair, summary: string): void {
  pair.source.edit.guide(sourceId(pair), { summary });
}

test("what changes at the source is written, and nothing else", async () => {
  const pair = await translatedPair("yes");
  const id = sourceId(pair);
  await carry(pair);
  const { guideid, steps } = pair.guide("Warp");
  pair.source.edit.translateGuide(id, "de", { title: "Die Kette" });
  touch(pair, "One.");
  const path = `PATCH /guides/${guideid}`;
  expect(await writesOf(pair, () => carry(pair))).toEqual([path, `${path} de`]);
  pair.source.edit.translateStep(id, stepIds(pair.source, id)[1] ?? 0, "de", lineBody("Dann."));
  touch(pair, "Two.");
  expect(await writesOf(pair, () => carry(pair))).toEqual([path, `${path}/steps/${steps[1]?.stepid} de`]);
  expect(await germanTexts(pair)).toEqual(["Die Kette", "Zuerst.", "Dann."]);
  const third = pair.source.edit.addStep(id, stepBody(3, "Third."));
  pair.source.edit.translateStep(id, third, "de", lineBody("Zuletzt."));
  expect(await carry(pair)).toMatchObject({ failed: 0 });
  expect(await germanTexts(pair)).toEqual(["Die Kette", "Zuerst.", "Dann.", "Zuletzt."]);
  expect((await carry(pair)).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

for (const first of ["source", "target"] as const) {
  test(`an edit of somebody else is left, listed, found by verify, and overwritten only when asked, the ${first} first`, async () => {
    const pair = await translatedPair("yes");
    const id = sourceId(pair);
    await carry(pair);
    const { guideid, steps } = pair.guide("Warp");
    const acts = {
      source: () => pair.source.edit.translateStep(id, stepIds(pair.source, id)[0] ?? 0, "de", lineBody("Unseres.")),
      target: () => pair.target.edit.translateStep(guideid, steps[0]?.stepid ?? 0, "de", lineBody("Ihres.")),
    };
    acts[first]();
    if (first === "target") {
      expect((await pair.verify()).differences).toMatchObject([{ key: KEY, path: "steps[0].lines[0].text" }]);
    }
    acts[first === "source" ? "target" : "source"]();
    touch(pair, "New.");
    expect(await carry(pair)).toMatchObject({ failed: 0 });
    expect(await germanTexts(pair)).toEqual(["Kette", "Ihres.", "Danach."]);
    expect(await issuesOf(pair, KEY)).toMatchObject([{ code: "conflict-skipped", level: "loss" }]);
    expect((await pair.verify()).differences).toEqual([]);
    expect((await carry(pair)).writes).toBe(0);
    await carry(pair, { onConflict: "update" });
    expect(await germanTexts(pair)).toEqual(["Kette", "Unseres.", "Danach."]);
    expect(await issuesOf(pair, KEY)).toEqual([]);
  });
}

test("one that others made is theirs unless --on-existing says otherwise", async () => {
  const pair = await translatedPair("yes");
  await pair.run();
  pair.target.edit.translateGuide(pair.guide("Warp").guideid, "de", { title: "Ihre" });
  await carry(pair);
  expect(await germanTexts(pair)).toEqual(["Ihre", "First.", "Second."]);
  expect(await issuesOf(pair, KEY)).toMatchObject([{ code: "conflict-skipped" }]);
  expect((await pair.verify()).differences).toEqual([]);
  expect((await carry(pair)).writes).toBe(0);
  await carry(pair, { onExisting: "update" });
  expect((await germanTexts(pair))[0]).toBe("Kette");
});

test("a guide that is made anew at the target gets its translation again", async () => {
  const pair = await translatedPair("yes");
  await carry(pair);
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  expect(await carry(pair)).toMatchObject({ failed: 0, recreated: 1 });
  expect(await germanTexts(pair)).toEqual(GERMAN);
  expect((await carry(pair)).writes).toBe(0);
  // The other one is only named by the translation.
  pair.target.edit.deleteGuide(pair.guide("Weft").guideid);
  expect(await carry(pair)).toMatchObject({ failed: 0, recreated: 1 });
  expect(await german(pair)).toMatchObject({ introduction_raw: `Siehe [guide|${pair.guide("Weft").guideid}|dort].` });
  expect((await pair.verify()).differences).toEqual([]);
});

test("a lost answer changes nothing", async () => {
  const pair = await translatedPair("yes");
  await pair.run();
  const { guideid } = pair.guide("Warp");
  for (const path of [`/guides/${guideid}`, `/guides/${guideid}/steps/${pair.guide("Warp").steps[0]?.stepid}`])
    pair.target.faults.inject({ kind: "reset", applied: true }, { method: "PATCH", path });
  expect(await carry(pair)).toMatchObject({ failed: 0 });
  expect(await germanTexts(pair)).toEqual(GERMAN);
  expect((await carry(pair)).writes).toBe(0);
});

test("an answer in another language stops the translation of that guide", async () => {
  const pair = await translatedPair("yes");
  await carry(pair);
  pair.source.edit.translateGuide(sourceId(pair), "de", { title: "Die Kette" });
  touch(pair, "New.");
  const own = { status: 200, kind: "status" } as const;
  pair.target.faults.decide(({ query, method }) =>
    method === "PATCH" && query.includes("langid=de") ? own : undefined,
  );
  expect(await carry(pair)).toMatchObject({ failed: 1 });
  pair.target.faults.clear();
  expect(await carry(pair)).toMatchObject({ failed: 0 });
  expect((await germanTexts(pair))[0]).toBe("Die Kette");
});

test("one that is gone at the source stays and is told", async () => {
  const pair = await translatedPair("yes");
  await carry(pair);
  pair.source.faults.decide(({ query }) => (query.includes("langid=de") ? { kind: "status", status: 404 } : undefined));
  pair.source.edit.guide(sourceId(pair), { summary: "New." });
  expect(await carry(pair, { deleteRemoved: true })).toMatchObject({ failed: 0 });
  expect(await germanTexts(pair)).toEqual(GERMAN);
  expect(await issuesOf(pair, KEY)).toMatchObject([{ code: "translation-gone", level: "note" }]);
});

test("a plan writes nothing, and says that a probe decides; it plans them once that is known", async () => {
  const pair = await translatedPair("yes");
  await extractFrom(pair.source, pair.workspace, { languages: ["de"] });
  const item = async () => (await planAt(pair.target, pair.workspace)).items.find(({ key }) => key === KEY);
  expect(await item()).toMatchObject({ action: "leave", requests: 0, issues: [{ code: "translation-undecided" }] });
  expect(pair.writes()).toEqual([]);
  await carry(pair);
  expect(await item()).toMatchObject({ action: "leave", requests: 0, issues: [] });
  pair.source.edit.translateGuide(sourceId(pair), "de", { title: "Die Kette" });
  touch(pair, "New.");
  await extractFrom(pair.source, pair.workspace, { languages: ["de"] });
  expect(await item()).toMatchObject({ action: "change", requests: 1 });
});

test("an undo takes one away with its guide only, and lists it otherwise", async () => {
  const pair = await translatedPair("yes");
  await pair.run();
  await carry(pair);
  const later = await undoAt(pair.target, pair.workspace);
  expect(later.refusals).toMatchObject([
    { reason: "no-way-back" },
    { reason: "no-way-back" },
    { reason: "no-way-back" },
  ]);
  expect(await germanTexts(pair)).toEqual(GERMAN);
  const whole = await translatedPair("yes");
  await carry(whole);
  expect(await undoAt(whole.target, whole.workspace)).toMatchObject({ refusals: [], summary: { failed: 0 } });
  expect(titlesAt(whole)).toEqual([]);
  await carry(whole);
  expect(await germanTexts(whole)).toEqual(GERMAN);
});
