import type { BlockPlace, ReadBlock } from "./block-rule.js";
import { skipBlanks, UNIT } from "./characters.js";
import { closingTag, lineFrom, type Source } from "./source.js";

const OPEN = /\[code\]/iy;
const CLOSE = "[/code]";

/** `[code]⏎…⏎[/code]`: nothing in it is markup. The line ends next to the tags belong to them. */
export function readCodeBlock(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const { text } = source;
  OPEN.lastIndex = at;
  if (!OPEN.test(text)) return undefined;
  const close = closingTag(source, "code", OPEN.lastIndex);
  const stop = close + CLOSE.length;
  if (close < 0 || stop > end) return undefined;
  const from = pastLineEnd(source, OPEN.lastIndex, close);
  const to = beforeLineEnd(text, from, close);
  return {
    type: "codeBlock",
    before: "",
    open: text.slice(at, from),
    value: text.slice(from, to),
    close: text.slice(to, stop),
    position: { start: at, end: stop },
  };
}

function pastLineEnd(source: Source, from: number, end: number): number {
  const { textEnd, next } = lineFrom(source, from, end);
  return skipBlanks(source.text, from, textEnd) === textEnd ? next : from;
}

function beforeLineEnd(text: string, from: number, end: number): number {
  if (end === from || text.charCodeAt(end - 1) !== UNIT.newline) return end;
  return end - 1 > from && text.charCodeAt(end - 2) === UNIT.carriageReturn ? end - 2 : end - 1;
}
