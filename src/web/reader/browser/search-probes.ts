interface SearchWord {
  readonly term: string;
  /** One or two letters, except for writing where one letter is a word. */
  readonly isShort: boolean;
  readonly isNeeded: boolean;
}

const searchProbes = (() => {
  const mostWords = 12;
  /** Weights of terms that begin with a word, or are similar; less for each edit. */
  const begun = 0.6;
  const like = 0.3;
  const perLetter = 0.3;
  /** Similar terms in a segment at most. */
  const mostNear = 6;
  /** `BEGINNING` of `src/web/reader/search/search-index.ts`. */
  const beginning = "*";
  /** Sorts behind all terms with the same beginning. */
  const end = "\uFFFF";

  /** The word being typed is required once it is long enough. */
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
   * One or two letters match the beginning of words of titles only; texts have too many such words.
   */
  function exact({ term, isShort, isNeeded }: SearchWord): readonly Probe[] {
    if (isShort) return [only(beginning + term, begun), ...(isNeeded ? [only(term, 1)] : [])];
    const weight = (other: string): number =>
      other === term ? 1 : (begun * term.length) / (term.length + perLetter * (other.length - term.length));
    return [{ from: term, to: term + end, weight }];
  }

  /** One edit for words of four letters, two for words of six. */
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
