import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Item } from "../../../../src/core/model/item.js";
import type { SearchFiles, SearchState } from "../../../../src/web/reader/search/search-index.js";
import { makeServedSearch } from "../../../../src/web/reader/search/served-search.js";
import { guideItem } from "../../../helpers/items.js";
import { memorySnapshot } from "../pages/helpers/memory-snapshot.js";
import { browserSearch, entryOf } from "./helpers/browser-search.js";

const ITEMS = Array.from({ length: 4100 }, (_, at) =>
  guideItem(at, { title: `Guide ${at}`, summary: `Loom number ${at}` }),
);

describe("the index of a server", () => {
  const browser = browserSearch();

  it("tells how far it is, and gives what is there by then", async () => {
    const search = makeServedSearch(memorySnapshot({ id: "now", items: ITEMS }));
    let end = (): void => undefined;
    const read = new Promise<void>((resolve) => {
      end = resolve;
    });
    void search.follow({ read, progress: { done: 0, total: 4100 } });
    expect(await stateOf(search)).toEqual({ state: "building", segments: [], done: 0, total: 4100 });
    // Items that somebody waits for come while others are taken in.
    await Promise.all(ITEMS.map((item) => search.add(entryOf(item), item)));
    const growing = await stateOf(search);
    expect(growing).toMatchObject({ state: "building", done: 4000, total: 4100 });
    expect(growing.segments.map(({ items }) => items)).toEqual([1000, 1000, 2000]);
    end();
    await expect.poll(() => stateOf(search)).toMatchObject({ state: "whole", done: 4100, total: 4100 });
    const { segments } = await stateOf(search);
    expect(segments.slice(0, 3)).toEqual(growing.segments);
    const version = segments[3]?.version ?? "";
    const finder = await browser.over((name, own) => textOf(search, name, own));
    for (const id of [0, 999, 1000, 3999, 4000, 4099]) {
      const [hit] = (await finder.lists(`number ${id} `)).at(-1)?.hits ?? [];
      expect(hit?.entry[0]).toBe(`Guide ${id}`);
      const block = `${hit?.segment}-text-${Math.floor((hit?.item ?? 0) / 16)}.js`;
      const own = segments[hit?.segment ?? -1]?.version ?? "";
      const texts = JSON.parse(browser.receive(await textOf(search, block, own)).json) as readonly string[];
      expect(texts[(hit?.item ?? 0) % 16]).toContain(`Loom number ${id}`);
    }
    for (const name of ["4-titles.js", "3-words-9.js", "3-text-7.js", "x", "0-text-125.js"])
      expect(await search.file(name, version)).toBeUndefined();
    expect(await search.file("3-titles.js", version)).toMatchObject({ isLasting: true });
    expect(await search.file("3-titles.js", "of another start")).toBeUndefined();
    expect(await search.file("index.js", "")).toMatchObject({ isLasting: false });
  });

  it("says so when the reading ended early", async () => {
    const search = makeServedSearch(memorySnapshot({ id: "now", items: ITEMS }));
    await search.follow({ read: Promise.reject(new Error("gone")), progress: { done: 1, total: 9 } });
    expect(await stateOf(search)).toEqual({ state: "broken", segments: [], done: 0, total: 9 });
  });

  it("gives a text that became unreadable as empty", async () => {
    const snapshot = memorySnapshot({ id: "now", items: [one()] });
    const search = makeServedSearch({ ...snapshot, row: async () => undefined });
    await search.add(entryOf(one()), one());
    await search.follow({ read: Promise.resolve(), progress: { done: 1, total: 1 } });
    const { state, segments } = await stateOf(search);
    expect(state).toBe("whole");
    expect(await textOf(search, "0-text-0.js", segments[0]?.version)).toContain('[""]');
  });
});

function one(): Item {
  return guideItem(1, { summary: "Loom" });
}

async function textOf(search: SearchFiles, name: string, version = ""): Promise<string> {
  const file = await search.file(name, version);
  if (file === undefined) throw new Error(`there is no ${name}`);
  return gunzipSync(file.bytes).toString();
}

async function stateOf(search: SearchFiles): Promise<SearchState> {
  return JSON.parse(browserSearch().receive(await textOf(search, "index.js")).json) as SearchState;
}
