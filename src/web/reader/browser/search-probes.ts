/** A word of a search. */
interface SearchWord {
  readonly term: string;
  /** One letter or two, but for writing where one means something. */
  readonly isShort: boolean;
  /** Must be there. */
  readonly isNeeded: boolean;
}

/** From words to the terms that they stand for. */
const searchProbes = (() => {
  const mostWords = 12;
  /**
   * How much terms count that only begin with a word, or are only like it; less for each letter
   * they differ by.
   */
  const begun = 0.6;
  const like = 0.3;
  const perLetter = 0.3;
  /** Terms like a word that are looked for in a segment. */
  const mostNear = 6;
  /** Before beginnings of titles' words; `BEGINNING` of `src/web/reader/search/search-index.ts`. */
  const beginning = "*";
  /** Behind all that begins with a term. */
  const end = "\uFFFF";

  /**
   * The words of what stands in the field. One that is being typed must be there once it is long
   * enough.
   */
  function words(typed: string): readonly SearchWord[] {
    const terms = searchTerms.typed(typed).slice(0, mostWords);
    const isOpen = !/\s$/.test(typed);
    return terms.map((term, at) => {
      const isShort = term.length < 3 && !searchTerms.isJoined(term);
      const isTyping = isOpen && at > 0 && at === terms.length - 1;
      return { term, isShort, isNeeded: !(isShort && isTyping) };
    });
  }

  function only(term: string, weight: number): Probe {
    return { from: term, to: term, weight: () => weight };
  }

  /**
   * Any beginning of a title's word counts; texts have too many words that begin with one letter or
   * two.
   */
  function exact({ term, isShort, isNeeded }: SearchWord): readonly Probe[] {
    if (isShort) return [only(beginning + term, begun), ...(isNeeded ? [only(term, 1)] : [])];
    const weight = (other: string): number =>
      other === term ? 1 : (begun * term.length) / (term.length + perLetter * (other.length - term.length));
    return [{ from: term, to: term + end, weight }];
  }

  /** A letter more, less or another in words of four; two of them in words of six. */
  function limit({ term }: SearchWord): number {
    return term.length < 4 ? 0 : term.length < 6 ? 1 : 2;
  }

  /** `all`: the terms of a segment. */
  function near(word: SearchWord, all: string): readonly Probe[] {
    const most = limit(word);
    if (most === 0) return [];
    return nearTerms(all, word.term, most, mostNear).map(({ term, distance }) =>
      only(term, (like * word.term.length) / (word.term.length + distance)),
    );
  }

  return { words, exact, near, limit };
})();
