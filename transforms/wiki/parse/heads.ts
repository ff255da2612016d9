import { isSpace, skipBlanks, UNIT } from "./characters.js";
import type { Head } from "./macro.js";
import { ADDRESS, MACROS, WIKI } from "./macros.js";

/** Reads the beginning of a macro at a bracket; undefined when it begins none. */
export function readHead(text: string, at: number, end: number): Head | undefined {
  if (text.charCodeAt(at + 1) !== UNIT.open) return readSingle(text, at, end);
  BRACKET_TOO_MANY.lastIndex = at + 1;
  return BRACKET_TOO_MANY.test(text) ? undefined : readWiki(text, at, end);
}

// `[[guide|12|x]]` is a macro with one bracket too many: read as a page named "guide" it would keep its id. But `[[Title|x]]`
// and `[[Guide|all guides]]` are pages, and so is `[[Product|our looms]]`: only what looks like a code tells.
const BRACKET_TOO_MANY = new RegExp(
  String.raw`\[(?:${[
    String.raw`(?:guide|image|document|video|summary_image)[ \t]*\|[ \t]*\d+[ \t]*[|\]]`,
    String.raw`product[ \t]*\|[ \t]*[a-z]{2}\d{3}-\d+(?:-\d+)?[ \t]*[|\]]`,
    String.raw`(?:(?:link|video)[ \t]*\|[ \t]*)?(?:https?:)?\/`,
  ].join("|")})`,
  "iy",
);

/** `[keyword|`, `[https://…|` or `[https://…]`: a word, and behind it a pipe or bracket. */
function readSingle(text: string, at: number, end: number): Head | undefined {
  let wordEnd = at + 1;
  while (wordEnd < end && !endsWord(text.charCodeAt(wordEnd))) wordEnd += 1;
  const bar = skipBlanks(text, wordEnd, end);
  const unit = bar < end ? text.charCodeAt(bar) : 0;
  if (wordEnd === at + 1 || (unit !== UNIT.pipe && unit !== UNIT.close)) return undefined;
  const word = text.slice(at + 1, wordEnd);
  if (ALONE.test(word)) return { keyword: "", macro: ADDRESS, width: 1, fields: at + 1, next: wordEnd };
  return unit === UNIT.pipe ? withFields(word, at, bar) : undefined;
}

function endsWord(unit: number): boolean {
  return unit === UNIT.pipe || unit === UNIT.open || unit === UNIT.close || isSpace(unit);
}

// An address that needs no label, and one that does: the vendor always writes one, and `[/quote]` is no link.
const ALONE = /^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:)[^/]/i;
const LABELLED = /^[/#]/;
// Other words are no keyword, known or not: `[2|x]` is text.
const KEYWORD = /^[a-z][\w.-]*$/i;

function withFields(word: string, at: number, bar: number): Head | undefined {
  if (LABELLED.test(word)) return { keyword: "", macro: ADDRESS, width: 1, fields: at + 1, next: bar };
  if (!KEYWORD.test(word)) return undefined;
  const keyword = word.toLowerCase();
  const macro = MACROS.get(keyword);
  return { keyword, macro, width: 1, fields: macro?.fields === "only-parameters" ? bar : bar + 1, next: bar };
}

/** `[[Title|` or `[[Title]]`; of more brackets the last two. */
function readWiki(text: string, at: number, end: number): Head | undefined {
  let titleEnd = at + 2;
  let blank = true;
  while (titleEnd < end && !endsTitle(text.charCodeAt(titleEnd))) {
    blank &&= isSpace(text.charCodeAt(titleEnd));
    titleEnd += 1;
  }
  const closes = text.startsWith("]]", titleEnd) && titleEnd + 2 <= end;
  const titled = !blank && titleEnd < end && (closes || text.charCodeAt(titleEnd) === UNIT.pipe);
  return titled ? { keyword: "", macro: WIKI, width: 2, fields: at + 2, next: titleEnd } : undefined;
}

function endsTitle(unit: number): boolean {
  return unit === UNIT.pipe || unit === UNIT.open || unit === UNIT.close || unit === UNIT.newline;
}
