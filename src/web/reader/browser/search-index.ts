/**
 * What a list shows of a found item; see `SearchEntry` of `src/web/reader/search/search-index.ts`.
 */
type FoundEntry = readonly [title: string, kind: string, where: string, path: string, language: string];

/** A part of the terms of a segment, in order, and where each of them stands. */
type WordsPart = readonly [terms: readonly string[], postings: readonly string[]];

/** See `src/web/reader/search/search-files.ts`. */
interface SegmentFacts {
  readonly items: number;
  readonly parts: readonly string[];
  readonly version: string;
}

/** How far the index is; see `SearchState` of `src/web/reader/search/search-files.ts`. */
interface IndexState {
  readonly state: "building" | "whole" | "broken";
  readonly done: number;
  readonly total: number;
  readonly segments: readonly SegmentFacts[];
}

/** Some of the items, of which the titles were loaded. */
interface SearchSegment extends SegmentFacts {
  readonly number: number;
  readonly entries: readonly FoundEntry[];
}

/** Files that are loaded once and held, the latest `most` of them. A failure is not held. */
function createHeldFiles<Content>(load: LoadSearchFile, most: number) {
  const held = new Map<string, Promise<Content>>();

  return (name: string, version: string): Promise<Content> => {
    const key = `${name}?${version}`;
    const known = held.get(key) ?? load(name, version).then((json) => JSON.parse(json) as Content);
    held.delete(key);
    held.set(key, known);
    known.catch(() => held.delete(key));
    const [oldest] = held.keys();
    if (held.size > most && oldest !== undefined) held.delete(oldest);
    return known;
  };
}

/**
 * The index of a time: at once only what leads to its files and the titles, then of the terms what
 * searches ask for.
 */
function createSearchIndex(load: LoadSearchFile) {
  const segments: SearchSegment[] = [];
  const inABlock = 16;
  const words = createHeldFiles<WordsPart>(load, 200);
  const terms = createHeldFiles<string>(load, 8);
  const texts = createHeldFiles<readonly string[]>(load, 60);
  const start = Date.now();
  let asked = 0;
  let loading: Promise<void> | undefined;
  let state: IndexState = { state: "building", done: 0, total: 0, segments: [] };
  let failure = false;
  let isThere = false;

  async function loadNew(): Promise<void> {
    asked += 1;
    // The file grows and changes, so that no answer may be an old one.
    state = JSON.parse(await load("index", `${start}-${asked}`)) as IndexState;
    const others = state.segments.slice(segments.length);
    const first = segments.length;
    const loaded = others.map(async (facts, at) => {
      const entries = JSON.parse(await load(`${first + at}-titles`, facts.version)) as FoundEntry[];
      return { ...facts, number: first + at, entries };
    });
    segments.push(...(await Promise.all(loaded)));
    isThere = true;
  }

  /**
   * Loads what is new, once at a time, and tells that more can be found, or that loading failed.
   */
  function update(changed: () => void): void {
    if (loading !== undefined || (state.state !== "building" && isThere && !failure)) return;
    failure = false;
    loading = loadNew()
      .catch(fail)
      .finally(() => {
        loading = undefined;
        changed();
      });
  }

  /** What was loaded may be of a server that is there no longer, so that all of it is let go. */
  function fail(): void {
    failure = true;
    isThere = false;
    segments.length = 0;
  }

  /** The part of a segment's terms; rejects where it can't be loaded. */
  function part({ number, version }: SearchSegment, at: number): Promise<WordsPart> {
    return words(`${number}-words-${at}`, version);
  }

  /** All terms of a segment, in order, with blanks between. */
  function allTerms({ number, version }: SearchSegment): Promise<string> {
    return terms(`${number}-near`, version);
  }

  /** The text of an item. */
  async function text(number: number, item: number): Promise<string> {
    const version = segments[number]?.version ?? "";
    const block = await texts(`${number}-text-${Math.floor(item / inABlock)}`, version);
    return block[item % inABlock] ?? "";
  }

  return {
    segments,
    update,
    fail,
    part,
    allTerms,
    text,
    isThere: () => isThere,
    state: () => state,
    hasFailed: () => failure,
  };
}
