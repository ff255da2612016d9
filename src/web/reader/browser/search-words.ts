interface PlacedTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Has the rules of `transforms/search.ts`, which scripts of pages can't load; a test compares both.
 */
const searchTerms = (() => {
  const longest = 40;
  const joinedLetter = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー\u3099\u309A\uFF70\uFF9E\uFF9F]`;
  const runs = new RegExp(String.raw`(${joinedLetter}+)|(?:(?!${joinedLetter})[\p{L}\p{N}\p{M}])+`, "gu");
  const begins = new RegExp(`^${joinedLetter}`, "u");
  const marks = /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]|[^\p{L}\p{N}\p{M}]/gu;
  const voiced = /[\u3040-\u30FF][\u3099\u309A]/g;
  const letters: Readonly<Record<string, string>> = {
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    þ: "th",
    ı: "i",
  };

  function fold(run: string): string {
    const lower = run.toLowerCase();
    if (/^[a-z0-9]*$/.test(lower)) return lower;
    return lower
      .normalize("NFKD")
      .replace(marks, "")
      .replace(voiced, (pair) => pair.normalize("NFC"))
      .toLowerCase()
      .replace(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter);
  }

  function cut(term: string): string {
    return term.length <= longest ? term : [...term].slice(0, longest).join("");
  }

  /** Whether each folded character stands at the position of its original. */
  function isAligned(run: string, folded: string): boolean {
    if (run === folded) return true;
    const pieces = [...run].map((character) => ({ character, piece: fold(character) }));
    return (
      pieces.every(({ character, piece }) => piece.length === character.length && [...piece].length === 1) &&
      pieces.map(({ piece }) => piece).join("") === folded
    );
  }

  /**
   * Pairs of neighbouring characters of writing without blanks. Marks the whole run where positions
   * are unknown.
   */
  function* pairs(run: string, start: number): Iterable<PlacedTerm> {
    const folded = fold(run);
    const characters = [...folded];
    const isKnown = isAligned(run, folded);
    let at = start;
    for (const [place, letter] of characters.entries()) {
      const term = letter + (characters[place + 1] ?? "");
      yield isKnown ? { term, start: at, end: at + term.length } : { term, start, end: start + run.length };
      at += letter.length;
    }
  }

  function* placed(text: string): Iterable<PlacedTerm> {
    for (const found of text.matchAll(runs)) {
      const [run, joined] = found;
      if (joined !== undefined) {
        yield* pairs(run, found.index);
        continue;
      }
      const term = cut(fold(run));
      if (term !== "") yield { term, start: found.index, end: found.index + run.length };
    }
  }

  /**
   * Terms of the field's content, without the last single character of writing without blanks: the
   * pair before it holds it.
   */
  function typed(text: string): string[] {
    const terms: string[] = [];
    for (const [run, joined] of text.matchAll(runs)) {
      const folded = fold(run);
      const characters = [...folded];
      if (joined === undefined || characters.length < 2) {
        if (folded !== "") terms.push(cut(folded));
        continue;
      }
      for (let at = 0; at + 1 < characters.length; at += 1) terms.push(characters.slice(at, at + 2).join(""));
    }
    return [...new Set(terms)];
  }

  function isJoined(term: string): boolean {
    return begins.test(term);
  }

  return { placed, typed, isJoined };
})();
