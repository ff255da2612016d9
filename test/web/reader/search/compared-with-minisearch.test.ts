import { existsSync, readdirSync, readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { describe, expect, it } from "vitest";
import type { GuideItem } from "../../../../src/core/model/item.js";
import { readGuide } from "../../../../src/service/wire/guide.js";
import { itemText } from "../../../../src/web/reader/search/search-index.js";
import { termsOf } from "../../../../transforms/search.js";
import { guideItem, step } from "../../../helpers/items.js";
import { browserSearch, entryOf, indexOf } from "./helpers/browser-search.js";

const FOLDER = new URL("../../../../../shared/data/ose/guides/", import.meta.url);
const WORDS =
  "warp weft wefts shed heddle heddles shuttle bobbin reed beater treadle lease selvedge thread threads loom frame knot Käse 织布机 维修 kneten turn hold press lift".split(
    " ",
  );
const ENDINGS = ["", "s", "ing", "ed", "er", "ers", "less", "like", "wise", "er7", "ed7"];

/**
 * A library of the field says of the same items and words which of them have all of the words, and
 * which are best.
 */
describe("an index in parts", () => {
  const browser = browserSearch();

  it.each([
    ["200 made-up guides", made()],
    ["64 real guides (none where ../shared/data/ose is absent)", real()],
  ])("finds what MiniSearch finds, in much the same order: %s", async (_, items) => {
    const finder = await browser.over(await indexOf(items));
    const judge = judgeOf(items);
    const heads: number[] = [];
    for (const typed of queriesOf(items)) {
      const last = (await finder.lists(`${typed} `)).at(-1);
      const words = browser.terms.typed(typed);
      const expected = judge(words);
      expect({ typed, count: last?.near === undefined ? last?.count : 0 }).toEqual({ typed, count: expected.length });
      if (last === undefined || expected.length === 0) continue;
      const hits = last.hits.map(({ item }) => item);
      for (const hit of hits) expect(expected).toContain(hit);
      const best = expected.slice(0, 10);
      heads.push(hits.slice(0, 10).filter((hit) => best.includes(hit)).length / best.length);
    }
    // Each ranks in its own way what is nearly equal; heads that had nothing to do with each other
    // would share a third here.
    const shared = heads.reduce((sum, share) => sum + share, 0) / Math.max(1, heads.length);
    if (items.length > 0) expect(shared).toBeGreaterThan(0.75);
  });
});

/**
 * Numbers of items that have all words, best first: by title, tags and category before by any text,
 * as lists of the reader show them.
 */
function judgeOf(items: readonly GuideItem[]): (words: readonly string[]) => readonly number[] {
  const common = { tokenize: termsOf, processTerm: (term: string) => term };
  const titles = new MiniSearch({ fields: ["title", "tags", "where"], ...common });
  const all = new MiniSearch({ fields: ["all"], ...common });
  for (const [id, item] of items.entries()) {
    const { title, category, more } = entryOf(item);
    const [tags, where, { text, remarks }] = [more?.tags.join(" ") ?? "", category ?? "", itemText(item)];
    titles.add({ id, title, tags, where });
    all.add({ id, all: `${title} ${tags} ${where} ${text} ${remarks}` });
  }
  return (words) => {
    const options = {
      tokenize: () => [...words],
      combineWith: "AND",
      prefix: true,
      boost: { title: 4, tags: 2, where: 2 },
      weights: { prefix: 0.6, fuzzy: 0 },
    } as const;
    const found = [...titles.search("-", options), ...all.search("-", options)].map(({ id }) => id as number);
    return [...new Set(found)];
  };
}

/**
 * Words of three letters or more, whole and begun, one to three of them: the shorter ones have a
 * rule of their own.
 */
function queriesOf(items: readonly GuideItem[]): readonly string[] {
  return items
    .filter((_, at) => at % 2 === 0)
    .flatMap((item, at) => {
      const terms = termsOf(`${item.body.title} ${itemText(item).text}`).filter((term) => /^[a-z]{4,}$/.test(term));
      const words = [0, 7, 31].flatMap((step) => terms[(at * 13 + step) % Math.max(1, terms.length)] ?? []);
      return [words.slice(0, 1), words.slice(0, 2), words, words.slice(0, 2).map((word) => word.slice(0, 3))].map(
        (each) => each.join(" "),
      );
    });
}

function made(): readonly GuideItem[] {
  let state = 1;
  const words = (count: number): string =>
    Array.from({ length: count }, () => {
      state = (state * 48_271) % 2_147_483_647;
      // The first ones are the frequent ones.
      const place = Math.floor((state / 2_147_483_647) ** 2 * WORDS.length * ENDINGS.length);
      return `${WORDS[place % WORDS.length]}${ENDINGS[Math.floor(place / WORDS.length)]}`;
    }).join(" ");
  return Array.from({ length: 200 }, (_, id) =>
    guideItem(id, {
      title: words(4),
      tags: [words(1)],
      category: words(2),
      summary: words(id % 9),
      steps: [step(id, [words(6), words(id % 5)], { title: words(1) })],
    }),
  );
}

function real(): readonly GuideItem[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER).map((name) => {
    const raw: unknown = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
    const key = `guide/${name.replace(".json", "")}` as const;
    const { guide } = readGuide(raw, { key, endpoint: key, origin: "https://old.example", report: () => undefined });
    return guideItem(guide.id, guide);
  });
}
