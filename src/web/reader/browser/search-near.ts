interface NearTerm {
  readonly term: string;
  readonly distance: number;
}

/**
 * Terms of a blank-separated list within `limit` edits of a word (insertion, deletion,
 * substitution, transposition), nearest first, at most `most`; none for a word of more than 31
 * letters. Uses the bit-parallel "optimal string alignment" distance (Hyyrö 2003). Sorted
 * neighbours share beginnings, so only the rest of a term is compared.
 */
const nearTerms = (() => {
  const longest = 31;
  /** Bit masks of positions in the word, by character code. */
  const placesOf = new Int32Array(65_536);
  /** State by letters of a term, up to the longest that can match. */
  const depths = longest + 3;
  const rises = new Int32Array(depths);
  const falls = new Int32Array(depths);
  const equals = new Int32Array(depths);
  const places = new Int32Array(depths);
  const distances = new Int32Array(depths);

  function begin(word: string): void {
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      placesOf[code] = (placesOf[code] ?? 0) | (1 << at);
    }
    rises[0] = -1;
    falls[0] = 0;
    equals[0] = 0;
    places[0] = 0;
    distances[0] = word.length;
  }

  function end(word: string): void {
    for (let at = 0; at < word.length; at += 1) placesOf[word.charCodeAt(at)] = 0;
  }

  /** Adds the letter at `depth`. */
  function step(depth: number, code: number, last: number): void {
    const rise = rises[depth] ?? 0;
    const fall = falls[depth] ?? 0;
    const here = placesOf[code] ?? 0;
    const swapped = ((~(equals[depth] ?? 0) & here) << 1) & (places[depth] ?? 0);
    const equal = (((here & rise) + rise) ^ rise) | here | fall | swapped;
    const up = fall | ~(equal | rise);
    const down = equal & rise;
    const distance = distances[depth] ?? 0;
    distances[depth + 1] = distance + ((up & last) === 0 ? 0 : 1) - ((down & last) === 0 ? 0 : 1);
    const shifted = (up << 1) | 1;
    rises[depth + 1] = (down << 1) | ~(equal | shifted);
    falls[depth + 1] = shifted & equal;
    equals[depth + 1] = equal;
    places[depth + 1] = here;
  }

  function* within(list: string, word: string, limit: number): Iterable<NearTerm> {
    const last = 1 << (word.length - 1);
    /** Where the previous term starts, and how many of its letters are compared. */
    let before = 0;
    let known = 0;
    for (let start = 0; start < list.length; ) {
      const blank = list.indexOf(" ", start);
      const stop = blank === -1 ? list.length : blank;
      const length = stop - start;
      if (Math.abs(length - word.length) <= limit) {
        let depth = 0;
        while (depth < known && depth < length && list.charCodeAt(start + depth) === list.charCodeAt(before + depth))
          depth += 1;
        for (; depth < length; depth += 1) step(depth, list.charCodeAt(start + depth), last);
        before = start;
        known = length;
        const distance = distances[length] ?? 0;
        if (distance <= limit) yield { term: list.slice(start, stop), distance };
      }
      start = stop + 1;
    }
  }

  return (list: string, word: string, limit: number, most: number): readonly NearTerm[] => {
    if (word === "" || word.length > longest) return [];
    begin(word);
    const found = [...within(list, word, limit)];
    end(word);
    return found.sort((one, other) => one.distance - other.distance).slice(0, most);
  };
})();
