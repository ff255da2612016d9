import { skipSpaces, type Wish } from "./next-piece.js";
import { endsBlock, isLineEnd, type Token } from "./token.js";

const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]/u;

/** Where a line of text is best divided: at a sentence, else a space, else (no spaces in sight) a word or a character. */
export const TEXT_WISHES: readonly Wish[] = [
  { at: endsSentence, late: true },
  { at: isSpace, late: true },
  { at: beginsUnspacedWord, late: true },
  { at: isSpace, late: false },
  { at: beginsWord, late: false },
  { at: () => true, late: false },
];

/** Where text of several lines is best divided: at a blank line, else between list items, else at any end of a line. */
export const BLOCK_WISHES: readonly Wish[] = [
  { at: isBlankLine, late: true },
  { at: isBlockEnd, late: false },
  { at: hasLineEnd, late: false },
];

/** More quotation marks, brackets and markers than this behind a full stop end no sentence. */
const MOST_CLOSING = 16;

/** A full stop and the like, with the quotation marks and markers that close behind it. */
function endsSentence(tokens: readonly Token[], index: number): boolean {
  let last = index - 1;
  while (last > 0 && index - last <= MOST_CLOSING && isClosing(tokens[last])) last -= 1;
  if (matches(tokens[last], /^[。！？]$/)) return true;
  const follows = tokens[skipSpaces(tokens, index)];
  return matches(tokens[last], /^[.!?…]$/) && isSpace(tokens, index) && !matches(follows, /^\p{Ll}/u);
}

function isClosing(token: Token | undefined): boolean {
  return token?.kind === "mark" || matches(token, /^["'”’»)\]]$/);
}

/** A space that may end a line: 5 mm, with a no-break space, stay together. */
function isSpace(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.kind === "space" && !matches(tokens[index], /[\u00a0\u202f]/);
}

/** A word of a script that is written without spaces. */
function beginsUnspacedWord(tokens: readonly Token[], index: number): boolean {
  return beginsWord(tokens, index) && matches(tokens[index], UNSPACED);
}

function beginsWord(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.begins === "word";
}

function matches(token: Token | undefined, expression: RegExp): boolean {
  return token !== undefined && expression.test(token.text);
}

function isBlankLine(tokens: readonly Token[], index: number): boolean {
  return lineEnds(tokens, index).length > 1;
}

function isBlockEnd(tokens: readonly Token[], index: number): boolean {
  return lineEnds(tokens, index).some((end) => endsBlock(tokens, end));
}

function hasLineEnd(tokens: readonly Token[], index: number): boolean {
  return lineEnds(tokens, index).length > 0;
}

/** Where lines end among the spaces from an index on. */
function lineEnds(tokens: readonly Token[], index: number): readonly number[] {
  const ends: number[] = [];
  const next = skipSpaces(tokens, index);
  for (let end = index; end < next; end += 1) if (isLineEnd(tokens[end])) ends.push(end);
  return ends;
}
