import { LineCursor } from "./line-cursor.js";

export interface Escaped {
  readonly text: string;
  /** Where a `&` stood bare, in the text as given, the first ones only; both from 1. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
  readonly count: number;
}

const PLACES = 1000;
/** Pieces that are joined on the way: millions of them would take hundreds of megabytes. */
const PIECES = 4096;

/** What no reference of XML begins with (XML 1.0, 4.1); one to an unknown entity stays as it is, and is refused by the gate. */
const REFERENCE = /&(?:[A-Za-z_:][\w.:-]*|#[0-9]+|#x[0-9a-fA-F]+);/y;
const STOP = /<!--|<!\[CDATA\[|<\?|&/g;
const ENDS: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
]);

/** Writes `&amp;` for each bare `&` of an XML text, outside of comments, CDATA sections and instructions. Linear. */
export function escapeAmpersands(text: string): Escaped {
  const cursor = new LineCursor(text);
  const places: { readonly line: number; readonly column: number }[] = [];
  const pieces: string[] = [];
  let kept = 0;
  let count = 0;
  let done = "";
  STOP.lastIndex = 0;
  for (let stop = STOP.exec(text); stop !== null; stop = STOP.exec(text)) {
    const [opening] = stop;
    const end = ENDS.get(opening);
    if (end !== undefined) {
      const closed = text.indexOf(end, stop.index + opening.length);
      if (closed < 0) break;
      STOP.lastIndex = closed + end.length;
      continue;
    }
    REFERENCE.lastIndex = stop.index;
    if (REFERENCE.test(text)) continue;
    count += 1;
    if (places.length < PLACES) places.push(cursor.placeAt(stop.index));
    if (pieces.length > PIECES) done += pieces.splice(0).join("");
    pieces.push(text.slice(kept, stop.index), "&amp;");
    kept = stop.index + 1;
  }
  return { text: count === 0 ? text : done + pieces.join("") + text.slice(kept), places, count };
}
