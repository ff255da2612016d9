/** What a list shows of a found item; see `SearchEntry` of `src/reader/search/search-shard.ts`. */
type FoundEntry = readonly [title: string, kind: string, where: string, path: string, language: string];

/** A hit of MiniSearch. */
interface IndexHit {
  readonly id: number;
  readonly score: number;
  /** Terms of the document that matched. */
  readonly terms: readonly string[];
}

interface Index {
  search(terms: string, options: object): readonly IndexHit[];
}

declare const MiniSearch: {
  loadJSAsync(index: object, options: object): Promise<Index>;
};

/** A part of the index, as far as it was loaded. */
interface LoadedShard {
  readonly entries: readonly FoundEntry[];
  readonly titles: Index;
  words: Index | undefined;
}

/** How far the index is; see `SearchState` of `src/reader/search/search-names.ts`. */
interface IndexState {
  readonly state: "building" | "whole" | "broken";
  readonly shards: number;
  readonly done: number;
  readonly total: number;
}

const receivedSearchFiles = new Map<string, string>();

/** Every file of the index calls this: pages from a disk may load scripts and nothing else. */
function searchFile(name: string, json: string): void {
  receivedSearchFiles.set(name, json);
}

/** Loads the index of a time, each file once, and the texts that lists show parts of. `root`: the way from the page to the root of the time. */
function createSearchShards(root: string) {
  const shards: LoadedShard[] = [];
  const texts = new Map<string, Promise<readonly string[]>>();
  /** Blocks of texts that are held. */
  const mostTexts = 60;
  const inABlock = 16;
  let loading: Promise<void> | undefined;
  let asked = 0;
  let state: IndexState = { state: "building", shards: 0, done: 0, total: 0 };
  let failure = false;

  function load(name: string, query = ""): Promise<string> {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}search/${name}.js${query}`;
      script.addEventListener("load", () => {
        script.remove();
        const json = receivedSearchFiles.get(name);
        receivedSearchFiles.delete(name);
        if (json === undefined) reject(new Error(`${name} is no part of the index`));
        else resolve(json);
      });
      script.addEventListener("error", () => {
        script.remove();
        reject(new Error(`${name} can't be loaded`));
      });
      document.head.append(script);
    });
  }

  /** The fields of `src/reader/search/search-shard.ts`. */
  function read(index: object, fields: readonly string[]): Promise<Index> {
    return MiniSearch.loadJSAsync(index, { fields, processTerm: (term: string) => term });
  }

  async function loadTitles(number: number): Promise<void> {
    const { entries, index } = JSON.parse(await load(`${number}-titles`)) as { entries: FoundEntry[]; index: object };
    const titles = await read(index, ["title", "tags", "where"]);
    shards[number] = { entries, titles, words: undefined };
  }

  /** All titles first: they are small, and what most people look for. */
  async function loadAll(changed: () => void, isBusy: () => Promise<void>): Promise<void> {
    asked += 1;
    // A server's index grows, so that no answer may be an old one.
    state = JSON.parse(await load("index", location.protocol === "file:" ? "" : `?${asked}`)) as IndexState;
    for (let number = shards.length; number < state.shards; number += 1) await loadTitles(number);
    changed();
    for (const [number, shard] of shards.entries()) {
      if (shard.words !== undefined) continue;
      const json = await load(`${number}-words`);
      await isBusy();
      shard.words = await read(JSON.parse(json) as object, ["text"]);
      changed();
    }
    changed();
  }

  /** Loads what is new, once at a time. `changed`: more can be found now; `isBusy`: settles when nobody searches. */
  function update(changed: () => void, isBusy: () => Promise<void>): void {
    if (loading !== undefined || (state.state !== "building" && !failure && isLoaded())) return;
    failure = false;
    loading = loadAll(changed, isBusy)
      .catch(() => {
        failure = true;
        changed();
      })
      .finally(() => {
        loading = undefined;
      });
  }

  function isLoaded(): boolean {
    return shards.length === state.shards && shards.every(({ words }) => words !== undefined);
  }

  /** The text of a found item. */
  async function text(shard: number, id: number): Promise<string> {
    const name = `${shard}-text-${Math.floor(id / inABlock)}`;
    let block = texts.get(name);
    if (block === undefined) {
      block = load(name).then((json) => JSON.parse(json) as string[]);
      texts.set(name, block);
      const [oldest] = texts.keys();
      if (texts.size > mostTexts && oldest !== undefined) texts.delete(oldest);
    }
    return (await block)[id % inABlock] ?? "";
  }

  return { shards, update, text, isLoaded, state: () => state, hasFailed: () => failure };
}
