import type { Line } from "../../../src/core/model/guide.js";
import { plainText } from "../../html/plain-text.js";
import { onOneLine } from "../../markdown/read-line.js";
import { isBlank } from "../../settle/blanks.js";
import type { Tell } from "../../settle/draft.js";
import { text } from "../../wiki/build-inlines.js";
import type { Image, Inline, List } from "../../wiki/tree.js";
import { bulletOf, bulletWord } from "../bullet-words.js";
import { type LineMark, takeMark } from "../marks.js";
import { reachable, withoutImages } from "./page-blocks.js";
import { lineText } from "./words.js";

/** Lines of a step, and the images that stood in them. */
export interface ReadLines {
  readonly lines: readonly Line[];
  readonly images: readonly Image[];
}

/** A list as lines: an item is a line, its level that of its list. An item of nothing but a list is no line. */
export function linesOfList(list: List, tell: Tell, depth = 0): ReadLines {
  if (list.ordered)
    tell("numbered-lines", "note", "Lines of a step have bullets; the numbers of this list are left out.");
  const parts = list.children.flatMap((item): readonly ReadLines[] => [
    lineOfWords(item.children, tell, depth),
    ...item.lists.map((inner) => linesOfList(inner, tell, depth + 1)),
  ]);
  return { lines: parts.flatMap(({ lines }) => lines), images: parts.flatMap(({ images }) => images) };
}

/** Sites know levels 0 to 2 (api-facts 3.4). */
const DEEPEST = 2;

/** Running text as one line, or none where it shows nothing. */
export function lineOfWords(inlines: readonly Inline[], tell: Tell, depth = 0): ReadLines {
  const { words, images } = withoutImages(reachable(inlines.map(onOneLine), tell));
  const { mark, rest } = markOf(words);
  const sign = signOf(rest, mark);
  const written = lineText(sign.rest, tell);
  if (written === "" && mark === undefined && sign.bullet === undefined) return { lines: [], images };
  const wanted = mark?.level ?? depth;
  const level = Math.min(wanted, DEEPEST);
  if (level < wanted)
    tell(
      "level-clamped",
      "loss",
      `Lines of a step are ${DEEPEST} levels deep at most; level ${wanted} became ${level}.`,
    );
  const bullet = mark?.bullet ?? sign.bullet ?? "black";
  return { lines: [{ text: written, bullet, bulletStyle: null, level }], images };
}

function markOf(inlines: readonly Inline[]): { readonly mark: LineMark | undefined; readonly rest: readonly Inline[] } {
  const [first, ...others] = inlines;
  if (first?.type !== "text") return { mark: undefined, rest: inlines };
  const { mark, rest } = takeMark(first.value);
  return mark === undefined ? { mark, rest: inlines } : { mark, rest: startOf([text(rest), ...others]) };
}

/** The bullet that a bold word at the beginning says, and what follows it; a mark may say that it is no such word. */
function signOf(
  inlines: readonly Inline[],
  mark: LineMark | undefined,
): { readonly bullet: string | undefined; readonly rest: readonly Inline[] } {
  const [first, ...others] = startOf(inlines);
  const word = first?.type === "strong" ? plainText(first.children).trim() : "";
  const bullet = bulletOf(word);
  const isSign = bullet !== undefined && (mark?.bullet === undefined || bulletWord(mark.bullet) === word);
  return isSign ? { bullet, rest: startOf(others) } : { bullet: undefined, rest: inlines };
}

/** Without blanks and breaks at the beginning. */
function startOf(inlines: readonly Inline[]): readonly Inline[] {
  const first = inlines.findIndex(
    (inline) => inline.type !== "break" && !(inline.type === "text" && isBlank(inline.value)),
  );
  if (first < 0) return [];
  const [begin, ...others] = inlines.slice(first);
  return begin?.type === "text" ? [text(begin.value.trimStart()), ...others] : inlines.slice(first);
}
