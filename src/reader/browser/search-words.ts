/** A term of a text, and where it stands there. */
interface PlacedTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The terms of a text; the same rules as `transforms/search/terms-of.ts`, which a script of a page can't load. A test holds both equal.
 */
const searchTerms = (() => {
  const longest = 40;
  const runs =
    /([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+)|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー])[\p{L}\p{N}\p{M}])+/gu;
  const marks = /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]|[^\p{L}\p{N}\p{M}]/gu;
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
    if (/^[a-z0-9]*$/.test(lower)) return lower.slice(0, longest);
    const plain = lower
      .normalize("NFKD")
      .replace(marks, "")
      .toLowerCase()
      .replace(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter);
    return [...plain].slice(0, longest).join("");
  }

  /** Of a run that is written without blanks: its neighbouring characters, two by two. */
  function* pairs(run: string, start: number): Iterable<PlacedTerm> {
    const folded = [...fold(run)];
    // Where folding changed the number of characters nobody knows which stands where: the whole run is marked.
    const isAligned = folded.join("").length === run.length;
    let at = start;
    for (const [place, letter] of folded.entries()) {
      const term = letter + (folded[place + 1] ?? "");
      yield isAligned ? { term, start: at, end: at + term.length } : { term, start, end: start + run.length };
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
      const term = fold(run);
      if (term !== "") yield { term, start: found.index, end: found.index + run.length };
    }
  }

  /** What somebody typed: of a run without blanks not its last character, which the pair before it holds. */
  function typed(text: string): string[] {
    const terms: string[] = [];
    for (const [run, joined] of text.matchAll(runs)) {
      const folded = fold(run);
      const characters = [...folded];
      if (joined === undefined || characters.length < 2) {
        if (folded !== "") terms.push(folded);
        continue;
      }
      for (let at = 0; at + 1 < characters.length; at += 1) terms.push(characters.slice(at, at + 2).join(""));
    }
    return [...new Set(terms)];
  }

  return { placed, typed };
})();
