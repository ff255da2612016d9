/**
 * The terms that a text is found by. `src/web/reader/browser/search-words.ts` has the same rules for what people type, since a script of a page can't load
 * modules; a test holds both equal.
 *
 * Letters and digits that stand together are a term, without case, accents and the like: `Käse` is `kase`. Writing without blanks between words (Chinese, Japanese,
 * Thai …) gives each two neighbouring characters as a term, and the last one: words that somebody types are found so wherever they stand in a text, also the beginning
 * of one, which the dictionaries of two browsers may divide in two ways.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [run, joined] of text.matchAll(RUNS)) {
    if (joined === undefined) {
      const term = cut(fold(run));
      if (term !== "") terms.push(term);
      continue;
    }
    const letters = [...fold(run)];
    for (let at = 0; at < letters.length; at += 1) terms.push(letters.slice(at, at + 2).join(""));
  }
  return terms;
}

/** Longer ones are nobody's words; what is typed is cut as well. */
const LONGEST = 40;
/** Writing without blanks; the long mark and the voicing marks of Japanese belong to no script of their own. */
const JOINED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー\u3099\u309A\uFF70\uFF9E\uFF9F]`;
const RUNS = new RegExp(String.raw`(${JOINED}+)|(?:(?!${JOINED})[\p{L}\p{N}\p{M}])+`, "gu");
const PLAIN = /^[a-z0-9]*$/;
/** Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic ones, and what is left of signs that stand for several. */
const MARKS = /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]|[^\p{L}\p{N}\p{M}]/gu;
/**
 * A voiced sound of Japanese is another letter, not one with an accent. Korean syllables stay divided into their letters: while one is typed it has fewer of them, and
 * is the beginning of the whole one so.
 */
const VOICED = /[\u3040-\u30FF][\u3099\u309A]/g;
const LETTERS: Readonly<Record<string, string>> = {
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
  if (PLAIN.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(VOICED, (pair) => pair.normalize("NFC"))
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}

function cut(term: string): string {
  return term.length <= LONGEST ? term : [...term].slice(0, LONGEST).join("");
}
