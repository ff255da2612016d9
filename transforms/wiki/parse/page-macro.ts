import type { PageMacroName } from "../tree.js";
import type { BlockPlace, ReadBlock } from "./block-rule.js";
import { closingInLine, skipSpace, trimEnd } from "./characters.js";
import { readFields } from "./fields.js";
import { closingBracket, closingTag, type Source } from "./source.js";

/** Reads data about the page (wiki-syntax 2.5). */
export function readPageMacro(source: Source, place: BlockPlace): ReadBlock | undefined {
  return readSummary(source, place) ?? readValue(source, place) ?? readBox(source, place);
}

const SUMMARY = /\[summary\]/iy;
const SUMMARY_END = "[/summary]";

/** `[summary]text[/summary]` */
function readSummary(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  SUMMARY.lastIndex = at;
  if (!SUMMARY.test(source.text)) return undefined;
  const from = SUMMARY.lastIndex;
  const close = closingTag(source, "summary", from);
  const stop = close + SUMMARY_END.length;
  return close < 0 || stop > end ? undefined : valueMacro(source, "summary", at, from, close, stop);
}

const VALUE = /\[(title|summary_image|flag)[ \t]*\|/iy;

/** `[title|Any text]`, on one line. */
function readValue(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  VALUE.lastIndex = at;
  const name = VALUE.exec(source.text)?.[1]?.toLowerCase();
  const from = VALUE.lastIndex;
  const close = name === undefined ? -1 : closingInLine(source.text, at, end);
  return close < 0 ? undefined : valueMacro(source, name as PageMacroName, at, from, close, close + 1);
}

/** The value is what stands between the tags, without blanks around it. */
function valueMacro(
  { text }: Source,
  name: PageMacroName,
  at: number,
  from: number,
  close: number,
  stop: number,
): ReadBlock {
  const start = skipSpace(text, from, close);
  const end = trimEnd(text, start, close);
  return {
    type: "pageMacro",
    before: "",
    name,
    open: text.slice(at, start),
    value: text.slice(start, end),
    parameters: [],
    close: text.slice(end, stop),
    position: { start: at, end: stop },
  };
}

const BOX = /\[(?:(info)\s*\||(def_flag)(?=\s*\|))/iy;

/** `[info | device⏎|introduced = 1998⏎]` and `[def_flag⏎|flagid=x⏎]`, over several lines. */
function readBox(source: Source, { at, end: rangeEnd }: BlockPlace): ReadBlock | undefined {
  const { text } = source;
  BOX.lastIndex = at;
  const found = BOX.exec(text);
  const fields = BOX.lastIndex;
  const close = found === null ? -1 : closingBracket(source, at);
  if (found === null || close < 0 || close >= rangeEnd) return undefined;
  const {
    open,
    target,
    parameters,
    close: end,
    position,
  } = readFields(text, { start: at, fields, close, end: close + 1, balanced: true }, "parameters");
  const name = found[1] === undefined ? "def_flag" : "info";
  return { type: "pageMacro", before: "", name, open, value: target, parameters, close: end, position };
}
