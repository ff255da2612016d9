interface WordMatch {
  /** By number of item; 0: no match. */
  readonly worth: Float32Array;
  /** By number of item: 1 where title, tags or category match. */
  readonly titled: Uint8Array;
  /** Matching items. */
  readonly count: number;
}

/** A range of terms from `from` to `to` with their weight. */
interface Probe {
  readonly from: string;
  readonly to: string;
  weight(term: string): number;
}

const searchMatch = (() => {
  /** The signs of `src/web/reader/search/search-index.ts` by character code. */
  const values = new Uint8Array(128);
  for (const [value, sign] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].entries())
    values[sign.charCodeAt(0)] = value;
  /** Weights of comments, texts, tags and category, titles. */
  const places = [0.3, 1, 2, 4];
  /** By impact; see `src/web/reader/search/search-index.ts`. */
  const worths = Float32Array.from(
    { length: 64 },
    (_, impact) => ((places[impact >> 4] ?? 0) * ((impact & 15) + 1)) / 16,
  );
  const titledFrom = 32;

  /** Numbers of the parts with terms of a range. */
  function partsOf({ parts }: SearchSegment, { from, to }: Probe): readonly number[] {
    const first = Math.max(0, countUpTo(parts, from) - 1);
    const end = countUpTo(parts, to);
    return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  }

  /** The number of terms up to this one, itself included. */
  function countUpTo(terms: readonly string[], term: string): number {
    let [low, high] = [0, terms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((terms[middle] ?? "") <= term) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** `parts`: those that `partsOf` names, by number. */
  function match({ items }: SearchSegment, probes: readonly Probe[], parts: ReadonlyMap<number, WordsPart>): WordMatch {
    const [worth, titled] = [new Float32Array(items), new Uint8Array(items)];
    let count = 0;
    for (const { from, to, weight } of probes)
      for (const [terms, postings] of parts.values()) {
        const end = countUpTo(terms, to);
        for (let at = Math.max(0, countUpTo(terms, from) - 1); at < end; at += 1) {
          const term = terms[at] ?? "";
          if (term >= from) count += take(postings[at] ?? "", weight(term), worth, titled);
        }
      }
    return { worth, titled, count };
  }

  /** Returns the number of new items. */
  function take(postings: string, weight: number, worth: Float32Array, titled: Uint8Array): number {
    let item = -1;
    let fresh = 0;
    let at = 0;
    while (at < postings.length) {
      let passed = 0;
      let shift = 0;
      let value = 32;
      while (value >= 32) {
        value = values[postings.charCodeAt(at)] ?? 0;
        at += 1;
        passed |= (value & 31) << shift;
        shift += 5;
      }
      item += passed + 1;
      const impact = values[postings.charCodeAt(at)] ?? 0;
      at += 1;
      const known = worth[item] ?? 0;
      const own = weight * (worths[impact] ?? 0);
      if (known === 0) fresh += 1;
      if (own > known) worth[item] = own;
      if (impact >= titledFrom) titled[item] = 1;
    }
    return fresh;
  }

  return { partsOf, match };
})();
