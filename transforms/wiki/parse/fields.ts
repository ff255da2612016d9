import type { Parameter, Position } from "../tree.js";
import { skipSpace, skipTo, trimEnd, UNIT } from "./characters.js";
import type { Fields, Macro } from "./macro.js";

/** Where a macro stands. */
export interface MacroSpan {
  readonly start: number;
  /** Where the first field begins. */
  readonly fields: number;
  /** The closing bracket, or the first of two. */
  readonly close: number;
  readonly end: number;
  /** Whether inner brackets are closed: pipes inside of them then separate nothing. */
  readonly balanced: boolean;
}

/** Takes a macro apart: its target, and behind it parameters, or a label between parameters. */
export function readFields(text: string, span: MacroSpan, kind: Macro["fields"]): Fields {
  const { start, fields, end } = span;
  const bar = fieldEnd(text, fields, span);
  const word = skipSpace(text, fields, bar);
  // Blanks in the place of a target stand before what follows it.
  const targetStart = word === bar ? fields : word;
  const targetEnd = trimEnd(text, targetStart, bar);
  const rest = fieldsFrom(text, bar, span);
  const label = kind === "label" ? labelOf(text, rest) : undefined;
  const leading = readParameters(
    text,
    targetEnd,
    label === undefined ? [] : rest.filter((each) => each.end < label.start),
  );
  const labelEnd = label?.end ?? leading.end;
  const trailing = readParameters(
    text,
    labelEnd,
    label === undefined ? rest : rest.filter((each) => each.start > label.end),
  );
  return {
    open: text.slice(start, targetStart),
    target: text.slice(targetStart, targetEnd),
    leading: leading.parameters,
    bar: text.slice(leading.end, label?.start ?? leading.end),
    label,
    parameters: trailing.parameters,
    close: text.slice(trailing.end, end),
    position: { start, end },
    joined: label !== undefined && rest.some((each) => each.start > label.start && each.end <= label.end),
  };
}

/** The pipe or bracket that ends the field that begins at `from`. */
function fieldEnd(text: string, from: number, { close, balanced }: MacroSpan): number {
  let depth = 0;
  for (let at = from; at < close; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === UNIT.pipe && depth === 0) return at;
    if (unit === UNIT.open && balanced) depth += 1;
    else if (unit === UNIT.close && depth > 0) depth -= 1;
  }
  return close;
}

/** The fields behind the pipe at `bar`, each without its own. */
function fieldsFrom(text: string, bar: number, span: MacroSpan): readonly Position[] {
  const fields: Position[] = [];
  for (let before = bar; before < span.close; ) {
    const end = fieldEnd(text, before + 1, span);
    fields.push({ start: before + 1, end });
    before = end;
  }
  return fields;
}

/** From the first to the last field that is no known parameter. */
function labelOf(text: string, fields: readonly Position[]): Position | undefined {
  const first = fields.find((field) => !isKnown(text, field));
  const last = fields.findLast((field) => !isKnown(text, field));
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

/** The only parameters beside a label (wiki-syntax 7): any other field with an equals sign is label. */
const KNOWN = new Set(["new_window", "stepid", "size", "align", "format", "tags", "type"]);

function isKnown(text: string, { start, end }: Position): boolean {
  const equals = skipTo(text, UNIT.equals, start, end);
  return equals < end && KNOWN.has(text.slice(start, equals).trim().toLowerCase());
}

/** `from` is where the text before the first of them ends: blanks and pipes between fields belong to the later one. */
function readParameters(
  text: string,
  from: number,
  fields: readonly Position[],
): { readonly parameters: readonly Parameter[]; readonly end: number } {
  let end = from;
  const parameters = fields.map((field) => {
    const start = skipSpace(text, field.start, field.end);
    const before = text.slice(end, start);
    end = trimEnd(text, start, field.end);
    return parameterOf(text, before, start, end);
  });
  return { parameters, end };
}

function parameterOf(text: string, before: string, start: number, end: number): Parameter {
  const sign = skipTo(text, UNIT.equals, start, end);
  if (sign === end) return { before, name: "", equals: "", value: text.slice(start, end) };
  const nameEnd = trimEnd(text, start, sign);
  const value = skipSpace(text, sign + 1, end);
  return {
    before,
    name: text.slice(start, nameEnd),
    equals: text.slice(nameEnd, value),
    value: text.slice(value, end),
  };
}
