import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.js";
import { extractFrom, issuesOf } from "../../helpers/migration.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";

const LANGUAGES = { languages: ["en", "de", "fr"] } as const;

/** A page of a sandbox in a language; undefined: it is not there in that one. */
async function page(
  sandbox: Sandbox,
  langid: string,
  title = "WIKI/Sheds",
): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${sandbox.url}/wikis/${title}?langid=${langid}`, {
    headers: { authorization: `api ${sandbox.token}` },
  });
  const json = (await answer.json()) as Record<string, unknown>;
  return json["langid"] === langid ? json : undefined;
}

async function translated(target: readonly string[] = LANGUAGES.languages): Promise<Pair> {
  const pair = await twoGuides({ source: LANGUAGES, target: { languages: target } });
  pair.source.edit.translateWiki("WIKI", "Sheds", "de", {
    contents: "Über Fächer. Siehe [guide|1|dort].",
    display_title: "Fächer",
    page_title: "Fächer für alle",
  });
  pair.source.edit.translateWiki("CATEGORY", "Looms", "fr", { contents: "Les métiers.", description: "Tisser." });
  return pair;
}

const inGerman = (sandbox: Sandbox) => page(sandbox, "de");

test("translations of pages and categories are carried, with their references pointed home, and a second run is silent", async () => {
  const pair = await translated();
  pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Theirs", contents: "Theirs." });
  pair.target.edit.createGuide({ category: "Theirs", type: "how-to", subject: "T", title: "T", difficulty: "Easy" });
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(await inGerman(pair.target)).toMatchObject({
    contents_raw: `Über Fächer. Siehe [guide|${pair.guide("Warp").guideid}|dort].`,
    display_title: "Fächer",
    page_title: "Fächer für alle",
  });
  expect(await page(pair.target, "en")).toMatchObject({ contents_raw: "On sheds." });
  expect(await page(pair.target, "fr", "CATEGORY/Looms")).toMatchObject({
    contents_raw: "Les métiers.",
    description: "Tisser.",
  });
  expect((await pair.run()).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

test("one that is new, changed or gone at the source follows, and nothing else is written", async () => {
  const pair = await translated();
  await pair.run();
  pair.source.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Neu." });
  pair.source.edit.translateWiki("WIKI", "Sheds", "fr", { contents: "Les foules." });
  expect(await pair.run()).toMatchObject({ failed: 0, writes: 2 });
  expect(await inGerman(pair.target)).toMatchObject({ contents_raw: "Neu.", display_title: "Fächer" });
  expect(await page(pair.target, "fr")).toMatchObject({ contents_raw: "Les foules." });
  pair.source.edit.deleteTranslation("WIKI", "Sheds", "fr");
  expect(await pair.run()).toMatchObject({ failed: 0, writes: 0 });
  expect(await page(pair.target, "fr")).toBeDefined();
  expect(await issuesOf(pair, "wiki/WIKI/Sheds")).toContainEqual(
    expect.objectContaining({ code: "translation-gone", level: "note", path: "translations.fr" }),
  );
  expect((await pair.verify()).differences).toEqual([]);
  expect(await pair.run({ deleteRemoved: true })).toMatchObject({ failed: 0, writes: 1 });
  expect([await page(pair.target, "fr"), await inGerman(pair.target), await page(pair.target, "en")]).toEqual([
    undefined,
    expect.objectContaining({ contents_raw: "Neu." }),
    expect.objectContaining({ contents_raw: "On sheds." }),
  ]);
  expect((await pair.run({ deleteRemoved: true })).writes).toBe(0);
});

test("one that is not asked for any more is not gone", async () => {
  const pair = await translated();
  await pair.run();
  await extractFrom(pair.source, pair.workspace, { languages: ["fr"] });
  expect(await pair.run({ deleteRemoved: true, languages: ["fr"] })).toMatchObject({ failed: 0, writes: 0 });
  expect(await inGerman(pair.target)).toBeDefined();
});

for (const first of ["source", "target"] as const) {
  test(`an edit of somebody else at the target is left, listed, and overwritten only when asked, the ${first} first`, async () => {
    const pair = await translated();
    await pair.run();
    const acts = {
      source: () => pair.source.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Unseres." }),
      target: () => pair.target.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Ihres." }),
    };
    acts[first]();
    acts[first === "source" ? "target" : "source"]();
    expect(await pair.run()).toMatchObject({ failed: 0 });
    expect(await inGerman(pair.target)).toMatchObject({ contents_raw: "Ihres." });
    expect(await issuesOf(pair, "wiki/WIKI/Sheds")).toContainEqual(
      expect.objectContaining({ code: "conflict-skipped", path: "translations" }),
    );
    expect((await pair.run()).writes).toBe(0);
    expect(await pair.run({ onConflict: "update" })).toMatchObject({ failed: 0 });
    expect(await inGerman(pair.target)).toMatchObject({ contents_raw: "Unseres." });
    expect((await pair.run({ onConflict: "update" })).writes).toBe(0);
  });
}

test("one that somebody edited at the target is not deleted with the source's", async () => {
  const pair = await translated();
  await pair.run();
  pair.target.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Ihres." });
  pair.source.edit.deleteTranslation("WIKI", "Sheds", "de");
  expect(await pair.run({ deleteRemoved: true })).toMatchObject({ failed: 0 });
  expect(await inGerman(pair.target)).toMatchObject({ contents_raw: "Ihres." });
  expect((await pair.run({ deleteRemoved: true })).writes).toBe(0);
});

test("one that others deleted does not take the page with it", async () => {
  const pair = await translated();
  await pair.run();
  pair.target.edit.deleteTranslation("WIKI", "Sheds", "de");
  pair.source.edit.deleteTranslation("WIKI", "Sheds", "de");
  expect(await pair.run({ deleteRemoved: true })).toMatchObject({ failed: 0, writes: 0 });
  expect(await page(pair.target, "en")).toMatchObject({ contents_raw: "On sheds." });
});

test("one that others made of our page is theirs", async () => {
  const pair = await twoGuides({ source: LANGUAGES, target: LANGUAGES });
  await pair.run();
  pair.target.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Ihres." });
  pair.source.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Unseres." });
  // A site that does not tell its languages: the first translation of a page shows where its
  // language is asked for.
  await extractFrom(pair.source, pair.workspace, { languages: ["de"] });
  const before = pair.writes().length;
  expect(await pair.run()).toMatchObject({ failed: 0 });
  // The probe's only.
  expect(
    pair
      .writes()
      .slice(before)
      .filter((write) => !/ \/wikis(\/INFO\/.*)?$/.test(write)),
  ).toEqual([]);
  expect(await inGerman(pair.target)).toMatchObject({ contents_raw: "Ihres." });
  expect(await pair.run({ onExisting: "update" })).toMatchObject({ failed: 0, writes: 1 });
  expect(await inGerman(pair.target)).toMatchObject({ contents_raw: "Unseres." });
});

test("none is started twice when the answer is lost, or the run dies", async () => {
  for (const fault of [{ kind: "reset", applied: true }, { kind: "truncate" }] as const) {
    const pair = await translated();
    pair.target.faults.inject(fault, { method: "PATCH", path: "/wikis/WIKI/Sheds" });
    expect(await pair.run()).toMatchObject({ failed: 0 });
    expect(await inGerman(pair.target)).toMatchObject({ display_title: "Fächer" });
    expect((await pair.run()).writes).toBe(0);
  }
  const pair = await translated();
  const kill = new AbortController();
  pair.target.faults.decide(({ method, path, query }) =>
    method === "PATCH" && path === "/wikis/WIKI/Sheds" && query.includes("langid=de")
      ? { kind: "stall", applied: true, reached: () => kill.abort() }
      : undefined,
  );
  await expect(pair.run({ kill: kill.signal })).rejects.toThrow();
  pair.target.faults.clear();
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect((await pair.run()).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a language that the target has not is a loss, and no failure", async () => {
  const pair = await translated(["en", "fr"]);
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(await issuesOf(pair, "wiki/WIKI/Sheds")).toContainEqual(
    expect.objectContaining({ code: "translation-refused", level: "loss", path: "translations.de" }),
  );
  expect(await page(pair.target, "fr", "CATEGORY/Looms")).toBeDefined();
  expect((await pair.run()).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});
