import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createContext, runInContext } from "node:vm";
import type { Item } from "../../../../src/model/item.js";
import { assetOf } from "../../../../src/reader/assets.js";
import type { Entry } from "../../../../src/reader/catalogue.js";
import { recordOf, tell } from "../../../../src/reader/entry-record.js";
import { SearchWriter } from "../../../../src/reader/search/search-writer.js";

/** The scripts of a page, run here as a browser runs them: they know nothing of Node. */
export interface BrowserSearch {
  /** `searchTerms` of search-words.ts. */
  readonly terms: {
    typed(text: string): string[];
    placed(text: string): Iterable<{ readonly term: string; readonly start: number; readonly end: number }>;
  };
  /** Takes a file of an index; returns what it handed over. */
  receive(script: string): { readonly name: string; readonly json: string };
  /** Searches what the files of an index hold. */
  over(files: ReadonlyMap<string, string>): Promise<Finder>;
}

export interface Finder {
  /** Searches; every list that is shown on the way. */
  lists(typed: string): Promise<readonly Outcome[]>;
  /** The titles of the last list. */
  titles(typed: string): Promise<readonly string[]>;
}

export interface Outcome {
  readonly hits: readonly {
    readonly entry: readonly string[];
    readonly tier: number;
    readonly id: number;
    readonly shard: number;
  }[];
  readonly count: number;
  readonly isDone: boolean;
  readonly isNear: boolean;
}

interface Loaded {
  readonly entries: readonly string[][];
  readonly titles: unknown;
  readonly words: unknown;
}

const SCRIPTS = ["search-words.js", "search-shards.js", "search-find.js"] as const;

/** Throws where the browser scripts were not built. */
export function browserSearch(): BrowserSearch {
  const context = createContext({ performance, MessageChannel, setTimeout });
  const mini = createRequire(import.meta.url).resolve("minisearch");
  runInContext(
    readFileSync(mini.replace(/cjs.index\.cjs$/, "umd/index.js").replace(/es.index\.js$/, "umd/index.js"), "utf8"),
    context,
  );
  for (const name of SCRIPTS) {
    const asset = assetOf(name);
    if (asset === undefined) throw new Error(`${name} is not built: npm run build`);
    runInContext(readFileSync(asset.file, "utf8"), context);
  }
  const load = runInContext(
    `(index, fields) => MiniSearch.loadJSAsync(JSON.parse(index), { fields, processTerm: (term) => term })`,
    context,
  ) as (index: string, fields: readonly string[]) => Promise<unknown>;
  const create = runInContext("createSearchFind", context) as (shards: readonly Loaded[]) => {
    find(typed: string, show: (outcome: Outcome) => void): Promise<void>;
  };
  const receive: BrowserSearch["receive"] = (script) => {
    runInContext(script, context);
    const [[name = "", json = ""] = []] = runInContext("[...receivedSearchFiles]", context) as string[][];
    runInContext("receivedSearchFiles.clear()", context);
    return { name, json };
  };
  return {
    terms: runInContext("searchTerms", context) as BrowserSearch["terms"],
    receive,
    over: async (files) => {
      const shards: Loaded[] = [];
      for (let number = 0; files.has(`${number}-titles.js`); number += 1) {
        const { entries, index } = JSON.parse(receive(files.get(`${number}-titles.js`) ?? "").json) as {
          entries: string[][];
          index: object;
        };
        const words = receive(files.get(`${number}-words.js`) ?? "").json;
        shards.push({
          entries,
          titles: await load(JSON.stringify(index), ["title", "tags", "where"]),
          words: await load(words, ["text"]),
        });
      }
      const { find } = create(shards);
      const lists: Finder["lists"] = async (typed) => {
        const shown: Outcome[] = [];
        await find(typed, (outcome) => shown.push(outcome));
        return shown;
      };
      return {
        lists,
        titles: async (typed) => ((await lists(typed)).at(-1)?.hits ?? []).map(({ entry }) => entry[0] ?? ""),
      };
    },
  };
}

/** The files of an index of items, by their names. */
export async function indexOf(items: readonly Item[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const writer = new SearchWriter(async (name, text) => void files.set(name, text));
  for (const item of items) await writer.add(entryOf(item), item);
  await writer.end();
  return files;
}

/** What a catalogue knows of an item that was read. */
export function entryOf(item: Item): Entry {
  const { key, kind } = item;
  const { title, category, more } = tell(item, "en");
  const row = { key, kind, title, category, modified: null, digest: "" };
  return { ...recordOf(row).entry, title, category, more: { ...more, image: null } };
}
