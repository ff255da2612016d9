import { LineCursor } from "./line-cursor.js";

/** A change of one attribute's value as it is written, between its quotes, or of the text that an element begins with. */
export interface XmlEdit {
  /** Where the element's `<` stands, as the gate has it. */
  readonly line: number;
  readonly column: number;
  /** As written, with its prefix; null: the text. */
  readonly attribute: string | null;
  change(written: string): string;
}

const STOP = /<!--|<!\[CDATA\[|<\?|<[^/!?]/g;
const ENDS: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
]);
const NAME = /[^\s/>]+/y;
const CONTENT = /(\s*>)([^<]*)/y;
const ATTRIBUTE = /(\s+)([^\s=<>/]+)(\s*=\s*)("[^"]*"|'[^']*')/y;

/** A well-formed XML text with some values changed, and every other character as it was. Linear. */
export function editXml(text: string, edits: readonly XmlEdit[]): string {
  if (edits.length === 0) return text;
  const byPlace = grouped(edits);
  const cursor = new LineCursor(text);
  const pieces: string[] = [];
  let kept = 0;
  STOP.lastIndex = 0;
  for (let stop = STOP.exec(text); stop !== null; stop = STOP.exec(text)) {
    const end = ENDS.get(stop[0]);
    if (end !== undefined) {
      const closed = text.indexOf(end, STOP.lastIndex);
      if (closed < 0) break;
      STOP.lastIndex = closed + end.length;
      continue;
    }
    const wanted = byPlace.get(placeKey(cursor.placeAt(stop.index)));
    if (wanted === undefined) continue;
    const { at, changed } = changeTag(text, stop.index + 1, wanted);
    pieces.push(text.slice(kept, stop.index + 1), changed);
    kept = at;
    STOP.lastIndex = at;
  }
  return pieces.join("") + text.slice(kept);
}

function grouped(edits: readonly XmlEdit[]): ReadonlyMap<string, readonly XmlEdit[]> {
  const groups = new Map<string, XmlEdit[]>();
  for (const edit of edits) {
    const group = groups.get(placeKey(edit)) ?? [];
    groups.set(placeKey(edit), group);
    group.push(edit);
  }
  return groups;
}

function placeKey({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

/** A tag from its name to its last attribute, or to the end of the text behind it where that changes. */
function changeTag(
  text: string,
  start: number,
  edits: readonly XmlEdit[],
): { readonly at: number; readonly changed: string } {
  NAME.lastIndex = start;
  const [name = ""] = NAME.exec(text) ?? [];
  let changed = name;
  let at = start + name.length;
  ATTRIBUTE.lastIndex = at;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, blank = "", attribute = "", equals = "", quoted = ""] = found;
    changed +=
      blank +
      attribute +
      equals +
      quoted.charAt(0) +
      changeValue(quoted.slice(1, -1), attribute, edits) +
      quoted.charAt(0);
    at = ATTRIBUTE.lastIndex;
  }
  if (edits.every((edit) => edit.attribute !== null)) return { at, changed };
  CONTENT.lastIndex = at;
  const [, end = "", words = ""] = CONTENT.exec(text) ?? [];
  return { at: at + end.length + words.length, changed: changed + end + changeValue(words, null, edits) };
}

function changeValue(written: string, attribute: string | null, edits: readonly XmlEdit[]): string {
  return edits.filter((edit) => edit.attribute === attribute).reduce((value, edit) => edit.change(value), written);
}
