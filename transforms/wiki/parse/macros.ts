import type { LinkKind, Parameter, Position } from "../tree.js";
import { isSpace, skipBlanks, skipSpace, skipTo, trimEnd, UNIT } from "./characters.js";
import { inlineRules, MARK_RULES, nodesOf, scan } from "./marks.js";
import {
  type Fields,
  type Head,
  type Macro,
  type ReadInline,
  report,
  type Scope,
  type Source,
  scopeOf,
  type TextMacro,
} from "./source.js";

const ANY = /./s;
const NUMBER = /^\d+$/;

/** Addresses without a keyword, and titles between double brackets. */
const ADDRESS = link("url", ANY);
const WIKI = link("wiki", ANY);

const BLOCK: Macro = { place: "block", fields: "parameters" };

/** The macros by keyword (wiki-syntax 2.3 to 2.5). */
const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["link", link("url", ANY)],
  ["guide", link("guide", NUMBER)],
  ["product", link("product", ANY)],
  ["document", link("document", NUMBER)],
  ["mailto", link("mailto", ANY)],
  ["image", media("image", NUMBER)],
  ["video", media("video", ANY)],
  ["guidelist", { fields: "only-parameters", place: "page", read: guideList }],
  ["quote", BLOCK],
  ["title", BLOCK],
  ["summary_image", BLOCK],
  ["info", BLOCK],
  ["flag", BLOCK],
  ["def_flag", BLOCK],
]);

function link(kind: LinkKind, targets: RegExp): Macro {
  return { fields: "label", place: "text", read: readLink };

  function readLink(source: Source, fields: Fields): ReadInline | undefined {
    const { open, target, leading, bar, label, parameters, close, position } = fields;
    if (!targets.test(target)) return undefined;
    const children = label === undefined ? [] : readMarkedLabel(source, label);
    return { type: "link", kind, open, target, leading, bar, children, parameters, close, position };
  }
}

/** The effect of marks in a label is unknown (wiki-syntax 7). */
function readMarkedLabel(source: Source, { start, end }: Position): readonly ReadInline[] {
  const children = readLabel(source, start, end);
  if (children.some((child) => "children" in child)) report(source, "marks-in-label", start, end);
  return children;
}

function media(type: "image" | "video", targets: RegExp): Macro {
  return { fields: "parameters", place: "page", read: readMedia };

  function readMedia(_source: Source, { open, target, parameters, close, position }: Fields): ReadInline | undefined {
    return targets.test(target) ? { type, open, target, parameters, close, position } : undefined;
  }
}

function guideList(_source: Source, { open, parameters, close, position }: Fields): ReadInline {
  return { type: "guideList", open, target: "", parameters, close, position };
}

/** undefined: the bracket does not begin a macro. */
export function readHead(text: string, at: number, end: number): Head | undefined {
  if (text.charCodeAt(at + 1) !== UNIT.open) return readSingle(text, at, end);
  BRACKET_TOO_MANY.lastIndex = at + 1;
  return BRACKET_TOO_MANY.test(text) ? undefined : readWiki(text, at, end);
}

// `[[guide|12|x]]` is a macro with a surplus bracket: as a page named "guide" it would keep its id.
// `[[Title|x]]`, `[[Guide|all guides]]` and `[[Product|our looms]]` are pages, since they have no
// code.
const BRACKET_TOO_MANY = new RegExp(
  String.raw`\[(?:${[
    String.raw`(?:guide|image|document|video|summary_image)[ \t]*\|[ \t]*\d+[ \t]*[|\]]`,
    String.raw`product[ \t]*\|[ \t]*[a-z]{2}\d{3}-\d+(?:-\d+)?[ \t]*[|\]]`,
    String.raw`(?:(?:link|video)[ \t]*\|[ \t]*)?(?:https?:)?\/`,
  ].join("|")})`,
  "iy",
);

/** `[keyword|`, `[https://…|` or `[https://…]`. */
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

// An address that needs no label, and one that does: the vendor always writes one, and `[/quote]`
// is not a link.
const ALONE = /^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:)[^/]/i;
const LABELLED = /^[/#]/;
// Other words are not keywords: `[2|x]` is text.
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

/** Returns an opaque node for a macro that is unknown or means nothing at its place. */
export function macroNode(source: Source, head: Head, span: MacroSpan): ReadInline {
  const { macro, keyword } = head;
  const { start, end } = span;
  const node = macro !== undefined && isAllowed(source, macro) ? readMacro(source, macro, span) : undefined;
  if (node !== undefined) return node;
  report(source, refusal(source, macro), start, end);
  return { type: "opaque", keyword, value: source.text.slice(start, end), position: { start, end } };
}

function isAllowed({ context }: Source, macro: Macro): macro is TextMacro {
  return macro.place === "text" || (macro.place === "page" && context === "page");
}

function readMacro(source: Source, macro: TextMacro, span: MacroSpan): ReadInline | undefined {
  const fields = readFields(source.text, span, macro.fields);
  if (fields.joined) report(source, "pipe-in-label", span.start, span.end);
  const { label } = fields;
  if (label !== undefined && source.text.slice(label.start, label.end).includes("=")) {
    report(source, "equals-in-label", label.start, label.end);
  }
  return macro.read(source, fields);
}

function refusal({ context }: Source, macro: Macro | undefined): "block-in-line" | "block-in-text" | "unknown-macro" {
  if (macro === undefined || macro.place === "text") return "unknown-macro";
  if (context === "line") return "block-in-line";
  return macro.place === "page" ? "unknown-macro" : "block-in-text";
}

interface MacroSpan {
  readonly start: number;
  /** Start of the first field. */
  readonly fields: number;
  /** The closing bracket, or the first of two. */
  readonly close: number;
  readonly end: number;
  /** Whether inner brackets are closed: pipes inside of them then separate nothing. */
  readonly balanced: boolean;
}

/** Divides a macro into target, parameters and label. */
export function readFields(text: string, span: MacroSpan, kind: Macro["fields"]): Fields {
  const { start, fields, end } = span;
  const bar = fieldEnd(text, fields, span);
  const word = skipSpace(text, fields, bar);
  // Spaces without a target belong to what follows.
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

/** The pipe or bracket that ends the field at `from`. */
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

function fieldsFrom(text: string, bar: number, span: MacroSpan): readonly Position[] {
  const fields: Position[] = [];
  for (let before = bar; before < span.close; ) {
    const end = fieldEnd(text, before + 1, span);
    fields.push({ start: before + 1, end });
    before = end;
  }
  return fields;
}

/** From the first to the last field that is not a known parameter. */
function labelOf(text: string, fields: readonly Position[]): Position | undefined {
  const first = fields.find((field) => !isKnown(text, field));
  const last = fields.findLast((field) => !isKnown(text, field));
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

/** The parameters next to a label (wiki-syntax 7). Another field with an equals sign is a label. */
const KNOWN = new Set(["new_window", "stepid", "size", "align", "format", "tags", "type"]);

function isKnown(text: string, { start, end }: Position): boolean {
  const equals = skipTo(text, UNIT.equals, start, end);
  return equals < end && KNOWN.has(text.slice(start, equals).trim().toLowerCase());
}

/** `from`: the end of the text before; blanks and pipes belong to the field after them. */
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

/** A label has marks and breaks, but no links or media (wiki-syntax 7). */
const RULES = inlineRules(new Map([...MARK_RULES, [UNIT.open, (scope, at) => readBreak(scope, at) ?? at + 1]]));

function readLabel(source: Source, start: number, end: number): readonly ReadInline[] {
  const scope = scopeOf(source, start, end);
  scan(scope, RULES);
  return nodesOf(scope, scope.tokens);
}

const TAG = "[br]";

/** Includes a line end after the break; undefined: none at `at`. */
export function readBreak({ text, end, tokens }: Scope, at: number): number | undefined {
  const tagEnd = at + TAG.length;
  const open = text.slice(at, tagEnd);
  if (tagEnd > end || open.toLowerCase() !== TAG) return undefined;
  const after = lineEndAt(text, tagEnd, end);
  const stop = tagEnd + after.length;
  tokens.push({ start: at, end: stop, node: { type: "break", open, after, position: { start: at, end: stop } } });
  return stop;
}

function lineEndAt(text: string, at: number, end: number): string {
  const found = ["\r\n", "\n"].find((lineEnd) => text.startsWith(lineEnd, at) && at + lineEnd.length <= end);
  return found ?? "";
}
