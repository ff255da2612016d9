import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Item } from "../../../src/model/item.js";
import type { SearchState } from "../../../src/reader/search/search-names.js";
import { makeServedSearch } from "../../../src/reader/search/served-search.js";
import type { SearchFiles } from "../../../src/reader/server/search-files.js";
import { guideItem } from "../../helpers/items.js";
import { memoryShelf } from "../pages/helpers/memory-shelf.js";
import { browserSearch, entryOf } from "./helpers/browser-search.js";

const ITEMS = Array.from({ length: 4100 }, (_, at) =>
  guideItem(at, { title: `Guide ${at}`, summary: `Loom number ${at}` }),
);

describe("the index of a server", () => {
  const browser = browserSearch();

  it("tells how far it is, and gives what is there by then", async () => {
    const search = makeServedSearch(memoryShelf({ id: "now", items: ITEMS }));
    let end = (): void => undefined;
    const read = new Promise<void>((resolve) => {
      end = resolve;
    });
    search.follow({ read, progress: { done: 0, total: 4100 } });
    expect(await stateOf(search)).toEqual({ state: "building", shards: 0, done: 0, total: 4100 });
    // Items that somebody waits for come while others are taken in.
    await Promise.all(ITEMS.map((item) => search.add(entryOf(item), item)));
    expect(await stateOf(search)).toEqual({ state: "building", shards: 2, done: 4000, total: 4100 });
    end();
    await expect.poll(() => stateOf(search)).toEqual({ state: "whole", shards: 3, done: 4100, total: 4100 });
    const names = [0, 1, 2].flatMap((shard) => [`${shard}-titles.js`, `${shard}-words.js`]);
    const files = new Map(await Promise.all(names.map(async (name) => [name, await textOf(search, name)] as const)));
    const finder = await browser.over(files);
    for (const id of [0, 1999, 2000, 3999, 4000, 4099]) {
      const [hit] = (await finder.lists(`number ${id} `)).at(-1)?.hits ?? [];
      expect(hit?.entry[0]).toBe(`Guide ${id}`);
      const block = `${hit?.shard}-text-${Math.floor((hit?.id ?? 0) / 16)}.js`;
      const texts = JSON.parse(browser.receive(await textOf(search, block)).json) as readonly string[];
      expect(texts[(hit?.id ?? 0) % 16]).toContain(`Loom number ${id}`);
    }
    for (const name of ["3-words.js", "2-text-7.js", "x", "0-text-125.js"])
      expect(await search.file(name)).toBeUndefined();
  });

  it("says so when the reading ended early", async () => {
    const search = makeServedSearch(memoryShelf({ id: "now", items: ITEMS }));
    search.follow({ read: Promise.reject(new Error("gone")), progress: { done: 1, total: 9 } });
    await expect.poll(() => stateOf(search)).toEqual({ state: "broken", shards: 0, done: 0, total: 9 });
  });

  it("gives a text that became unreadable as empty", async () => {
    const shelf = memoryShelf({ id: "now", items: [one()] });
    const search = makeServedSearch({ ...shelf, row: async () => undefined });
    await search.add(entryOf(one()), one());
    search.follow({ read: Promise.resolve(), progress: { done: 1, total: 1 } });
    await expect.poll(() => stateOf(search)).toMatchObject({ state: "whole", shards: 1 });
    expect(await textOf(search, "0-text-0.js")).toContain('[""]');
  });
});

function one(): Item {
  return guideItem(1, { summary: "Loom" });
}

async function textOf(search: SearchFiles, name: string): Promise<string> {
  const file = await search.file(name);
  if (file === undefined) throw new Error(`there is no ${name}`);
  return gunzipSync(file.bytes).toString();
}

async function stateOf(search: SearchFiles): Promise<SearchState> {
  return JSON.parse(browserSearch().receive(await textOf(search, "index.js")).json) as SearchState;
}
