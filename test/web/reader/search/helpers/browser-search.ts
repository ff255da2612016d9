import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import type { Item } from "../../../../../src/core/model/item.js";
import { assetOf } from "../../../../../src/web/reader/assets.js";
import type { Entry } from "../../../../../src/web/reader/catalogue.js";
import { listedFacts, recordOf } from "../../../../../src/web/reader/catalogue.js";
import { SearchWriter } from "../../../../../src/web/reader/search/search-index.js";

/** The scripts of a page, run here as a browser runs them: they know nothing of Node. */
export interface BrowserSearch {
  /** `searchTerms` of search-words.ts. */
  readonly terms: {
    typed(text: string): string[];
    placed(text: string): Iterable<{ readonly term: string; readonly start: number; readonly end: number }>;
  };
  /** Takes a file of an index; returns what it handed over. */
  receive(script: string): { readonly name: string; readonly json: string };
  /** `searchFileIn` of search-load.ts. */
  read(script: string): string;
  /** `searchMatch.match` of search-match.ts. */
  match(
    segment: { readonly items: number },
    probes: readonly { readonly from: string; readonly to: string; weight(term: string): number }[],
    parts: ReadonlyMap<number, readonly [terms: readonly string[], postings: readonly string[]]>,
  ): { readonly worth: Float32Array; readonly titled: Uint8Array; readonly count: number };
  /** `nearTerms` of search-near.ts. */
  near(
    list: string,
    word: string,
    limit: number,
    most: number,
  ): readonly { readonly term: string; readonly distance: number }[];
  /** Searches what the files of an index hold. Throws where it can't be loaded. */
  over(
    files: ReadonlyMap<string, string> | ((name: string, version: string) => Promise<string | undefined>),
  ): Promise<Finder>;
}

export interface Finder {
  /** Searches; every list that is shown on the way. */
  lists(typed: string): Promise<readonly Outcome[]>;
  /** The titles of the last list. */
  titles(typed: string): Promise<readonly string[]>;
  /** The files that were loaded so far, with their versions. */
  readonly loaded: readonly string[];
  /** Loads what is new, or all once more after a failure. */
  update(): Promise<void>;
}

export interface Outcome {
  readonly hits: readonly {
    readonly entry: readonly string[];
    readonly tier: number;
    readonly item: number;
    readonly segment: number;
  }[];
  readonly count: number;
  readonly isDone: boolean;
  /** Of another realm: a Set there is none of ours. */
  readonly near: { has(term: string): boolean } | undefined;
}

type Load = (name: string, version: string) => Promise<string>;

interface Index {
  update(changed: () => void): void;
  hasFailed(): boolean;
}

interface Find {
  find(typed: string, show: (outcome: Outcome) => void): Promise<void>;
}

const SCRIPTS = ["words", "load", "index", "match", "near", "probes", "rank", "find"] as const;

/** Throws where the browser scripts were not built. */
export function browserSearch(): BrowserSearch {
  const context = createContext({ performance, MessageChannel, setTimeout, location: { protocol: "file:" } });
  for (const name of SCRIPTS) {
    const asset = assetOf(`search-${name}.js`);
    if (asset === undefined) throw new Error(`search-${name}.js is not built: npm run build`);
    runInContext(readFileSync(asset.file, "utf8"), context);
  }
  const receive: BrowserSearch["receive"] = (script) => {
    runInContext(script, context);
    const [[name = "", json = ""] = []] = runInContext("[...receivedSearchFiles]", context) as string[][];
    runInContext("receivedSearchFiles.clear()", context);
    return { name, json };
  };
  const createIndex = runInContext("createSearchIndex", context) as (load: Load) => Index;
  const createFind = runInContext("createSearchFind", context) as (index: Index, most: number) => Find;
  return {
    terms: runInContext("searchTerms", context) as BrowserSearch["terms"],
    read: runInContext("searchFileIn", context) as BrowserSearch["read"],
    match: runInContext("searchMatch.match", context) as BrowserSearch["match"],
    near: runInContext("nearTerms", context) as BrowserSearch["near"],
    receive,
    over: async (files) => {
      const loaded: string[] = [];
      const index = createIndex(async (name, version) => {
        loaded.push(`${name}?${version}`);
        const script = await (typeof files === "function" ? files(`${name}.js`, version) : files.get(`${name}.js`));
        if (script === undefined) throw new Error(`there is no ${name}?${version}`);
        return receive(script).json;
      });
      const update = (): Promise<void> => new Promise((resolve) => index.update(resolve));
      await update();
      if (index.hasFailed()) throw new Error("the index cannot be loaded");
      const { find } = createFind(index, 30);
      const lists: Finder["lists"] = async (typed) => {
        const shown: Outcome[] = [];
        await find(typed, (outcome) => shown.push(outcome));
        return shown;
      };
      return {
        lists,
        titles: async (typed) => ((await lists(typed)).at(-1)?.hits ?? []).map(({ entry }) => entry[0] ?? ""),
        loaded,
        update,
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
  const { title, category, more } = listedFacts(item, "en");
  const row = { key, kind, title, category, modified: null, digest: "" };
  return { ...recordOf(row).entry, title, category, more: { ...more, image: null } };
}
