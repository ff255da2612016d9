import { expect, test } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/index.js";
import { load } from "../../../src/sync/load/load.js";
import { extractFrom, issuesOf, planAt, withTarget } from "../../helpers/migration.js";
import { type Pair, post, twoGuides } from "../../helpers/small-sites.js";

const LANGUAGES = { languages: ["en", "de", "fr"] } as const;
const LOST = { code: "page-translation", level: "loss", remedy: expect.stringContaining("by hand") };

/**
 * A page in three languages and a category in two, on their way to a site that takes translations
 * of pages, or ignores the language.
 */
async function translated(pageTranslations: SandboxOptions["pageTranslations"] = "ignored"): Promise<Pair> {
  const pair = await twoGuides({ source: LANGUAGES, target: { ...LANGUAGES, pageTranslations } });
  pair.source.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Ueber Faecher.", display_title: "Faecher" });
  pair.source.edit.translateWiki("WIKI", "Sheds", "fr", { contents: "Les foules." });
  pair.source.edit.translateWiki("CATEGORY", "Looms", "fr", { contents: "Les metiers.", description: "Tisser." });
  return pair;
}

function pagesOf({ target }: Pair): readonly unknown[] {
  return target.state().wikis.map(({ title, langid, contents }) => [title, langid, contents]);
}

const UNTOUCHED = [
  ["Looms", "en", "On looms."],
  ["Sheds", "en", "On sheds."],
];

function patchesOf({ target }: Pair): readonly string[] {
  return target.recorded
    .filter(({ method, path }) => method === "PATCH" && /^\/wikis\/(WIKI\/Sheds|CATEGORY)/.test(path))
    .map(({ path }) => path);
}

test("a site that ignores the language gets no translation of a page: one probe page, each translation a loss, no page ever changed", async () => {
  const pair = await translated();
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pagesOf(pair)).toEqual(expect.arrayContaining(UNTOUCHED));
  expect(pagesOf(pair)).toHaveLength(2);
  expect(patchesOf(pair)).toEqual([]);
  const losses = (await issuesOf(pair)).filter(({ code }) => code === "page-translation");
  expect(losses.map(({ key, path }) => `${key} ${path}`)).toEqual([
    "category/Looms translations.fr",
    "wiki/WIKI/Sheds translations.de",
    "wiki/WIKI/Sheds translations.fr",
  ]);
  expect(losses[0]).toMatchObject(LOST);
  expect((await pair.verify()).differences).toEqual([]);
  const before = pair.writes().length;
  expect((await pair.run()).writes).toBe(0);
  expect(pair.writes()).toHaveLength(before);
  expect(await planAt(pair.target, pair.workspace)).toMatchObject({ counts: { create: 0, change: 0 }, requests: 0 });
});

test("a site that takes translations is asked once, and the probe page is deleted", async () => {
  const pair = await translated("yes");
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pagesOf(pair)).toHaveLength(5);
  expect(pair.writes().filter((write) => write.startsWith("DELETE"))).toHaveLength(1);
  pair.source.edit.translateWiki("WIKI", "Sheds", "fr", { contents: "Les foules, encore." });
  expect((await pair.run()).writes).toBe(1);
  expect((await pair.verify()).differences).toEqual([]);
});

test("without a probe the first wrong answer puts the page back at once, ends all translations, and the next run sends none", async () => {
  const pair = await translated();
  await extractFrom(pair.source, pair.workspace);
  await withTarget(pair.target, pair.workspace, { concurrency: 1 }, ({ options, ...parts }) =>
    load({ ...parts, options: { ...options, allowed: () => true } }),
  );
  expect(pagesOf(pair)).toEqual(expect.arrayContaining(UNTOUCHED));
  expect(pagesOf(pair)).toHaveLength(2);
  // One that went wrong, and the text that was there before.
  expect(patchesOf(pair)).toHaveLength(2);
  const losses = (await issuesOf(pair)).filter(({ code }) => code === "page-translation");
  expect(losses.map(({ key, path }) => `${key} ${path}`).toSorted()).toEqual([
    "category/Looms translations.fr",
    "wiki/WIKI/Sheds translations.de",
    "wiki/WIKI/Sheds translations.fr",
  ]);
  expect((await pair.run()).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

test("what is put back is the page as it was before the write, also what somebody edited in it", async () => {
  const pair = await twoGuides({ source: LANGUAGES, target: { ...LANGUAGES, pageTranslations: "ignored" } });
  await pair.run();
  const headers = { authorization: `api ${pair.target.token}` };
  const page = await (await fetch(`${pair.target.url}/wikis/WIKI/Sheds`, { headers })).json();
  const { revisionid: revision } = page as { readonly revisionid: number };
  await post(pair.target, `wikis/WIKI/Sheds?revisionid=${revision}`, { contents: "Theirs." }, "PATCH");
  pair.source.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Ueber Faecher." });
  await extractFrom(pair.source, pair.workspace, { languages: ["de"] });
  await withTarget(pair.target, pair.workspace, {}, ({ options, ...parts }) =>
    load({ ...parts, options: { ...options, allowed: () => true } }),
  );
  expect(patchesOf(pair)).toHaveLength(3);
  expect(pagesOf(pair)).toContainEqual(["Sheds", "en", "Theirs."]);
});

test("a probe page that a killed load left is deleted by the next one", async () => {
  const pair = await translated();
  const kill = new AbortController();
  pair.target.faults.decide(({ method, path }) =>
    method === "PATCH" && path.startsWith("/wikis/INFO/")
      ? { kind: "stall", applied: true, reached: () => kill.abort() }
      : undefined,
  );
  await expect(pair.run({ kill: kill.signal, concurrency: 1 })).rejects.toThrow();
  expect(pagesOf(pair)).toHaveLength(1);
  pair.target.faults.clear();
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pagesOf(pair)).toHaveLength(2);
});
