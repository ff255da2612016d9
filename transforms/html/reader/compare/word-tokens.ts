/** A word of a text, or a sign by itself. */
export interface WordToken {
  readonly text: string;
  /** In the text, UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Languages that put no blanks between words: each character stands for itself. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*`;
const TOKEN = new RegExp(String.raw`${UNSPACED}|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}_])+|[^\s\p{L}\p{M}\p{N}_]`, "gu");

/** The words and signs of a text; blanks between them are none. */
export function wordTokens(text: string): readonly WordToken[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
}
