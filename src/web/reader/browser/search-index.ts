/** Equals `SearchEntry` of `src/web/reader/search/search-index.ts`. */
type FoundEntry = readonly [title: string, kind: string, where: string, path: string, language: string];

/** Sorted terms and their postings. */
type WordsPart = readonly [terms: readonly string[], postings: readonly string[]];

/** See `src/web/reader/search/search-index.ts`. */
interface SegmentFacts {
  readonly items: number;
  readonly parts: readonly string[];
  readonly version: string;
}

/** See `SearchState` of `src/web/reader/search/search-index.ts`. */
interface IndexState {
  readonly state: "building" | "whole" | "broken";
  readonly done: number;
  readonly total: number;
  readonly segments: readonly SegmentFacts[];
}

/** A segment with loaded titles. */
interface SearchSegment extends SegmentFacts {
  readonly number: number;
  readonly entries: readonly FoundEntry[];
}

/** Keeps the latest `most` files; failures are not kept. */
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

/** Loads the state and titles at once, and terms as searches need them. */
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
    // The file changes, so the address must bypass caches.
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

  /** Loads new segments, one call at a time; `changed` reports new segments or a failure. */
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

  /** Drops everything: the server may have restarted with other segments. */
  function fail(): void {
    failure = true;
    isThere = false;
    segments.length = 0;
  }

  /** A part of the terms; rejects where it can't be loaded. */
  function part({ number, version }: SearchSegment, at: number): Promise<WordsPart> {
    return words(`${number}-words-${at}`, version);
  }

  /** All terms in order, separated by blanks. */
  function allTerms({ number, version }: SearchSegment): Promise<string> {
    return terms(`${number}-near`, version);
  }

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
