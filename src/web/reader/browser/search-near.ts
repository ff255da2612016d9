/** A term like a word. */
interface NearTerm {
  readonly term: string;
  readonly distance: number;
}

/**
 * The terms of a list, a blank between each two, that differ from a word by no more than `limit`
 * letters more, less or other ones; two that changed places count as one. The nearest come first,
 * no more than `most`; none for a word of more than 31 letters.
 *
 * All beginnings of the word are compared with a beginning of a term in a few steps, a bit for each
 * of them (Hyyrö 2003, the distance of "optimal string alignment"). Terms share their beginnings
 * with those before them in a list that is in order, so that most of their letters were compared
 * already.
 */
const nearTerms = (() => {
  const longest = 31;
  /** By code of a letter: the places where it stands in the word. */
  const placesOf = new Int32Array(65_536);
  /** By letters of a term, up to the longest that can be near: see the paper. */
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

  /** Compares with one letter more than `depth` of them. */
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
    /** Where the term stands that was compared last, and how many of its letters were. */
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
