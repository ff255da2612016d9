import { UsageError } from "../../src/core/errors.js";
import { type GuideItem, itemSchema, type MediaUse, type WikiItem } from "../../src/core/model/item.js";
import { idIn, type Key, kindOf } from "../../src/core/model/key.js";
import { isObject } from "../../src/core/util/json.js";
import { derivedId, idOf, pathOfAddress } from "../omanual/addresses.js";
import { bundleOfOne } from "../omanual/bundle.js";
import { manualItem } from "../omanual/items/manual-items.js";
import { readManual } from "../omanual/read-manual.js";
import { NO_CONTEXT } from "../omanual/write/write-context.js";
import { writeItem } from "../omanual/write/write-item.js";
import { paragraph } from "../wiki/build.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import { shapeOf } from "../wiki/shape.js";
import type { Converted } from "./convert.js";
import type { ConvertIssue, DocumentSource, DocumentTarget, PageFormat, PageKind } from "./formats.js";
import { type PageBlock, pageOf } from "./page/page-of.js";
import { PAGE_SOURCES, readPage } from "./page/read-page.js";
import {
  type FragmentFormat,
  type Fragments,
  fragmentsIn,
  htmlPage,
  markdownPage,
  wikiPage,
} from "./page/write-page.js";

/** Fields that only manuals keep from their source, since sites do not have them. */
const KEPT_IN_MANUALS: ReadonlySet<string> = new Set(["category-parts", "category-tools"]);

/**
 * Converts between manual XML, an item's JSON and a page. Paths of media stay relative to the
 * document's folder. Throws UsageError for an unreadable or unconvertible document; every other
 * loss is an issue.
 */
export function convertDocument(source: string, options: ConvertDocumentOptions): Converted {
  const { item, issues } = DOCUMENT_READERS[options.from](source, options);
  const written = DOCUMENT_WRITERS[options.to](item, options);
  const lost = options.to === "omanual" ? issues.filter(({ code }) => !KEPT_IN_MANUALS.has(code)) : issues;
  return { text: written.text, issues: [...lost, ...written.issues] };
}

export interface ConvertDocumentOptions {
  readonly from: DocumentSource;
  readonly to: DocumentTarget;
  /** How messages name the document; its last parts are the file's name, and that of its folder. */
  readonly name: string;
  /** Scheme and host of the document's site. */
  readonly origin?: string | undefined;
  /** Default: what the page states, else a guide. */
  readonly as?: PageKind | undefined;
  /** Reads JSON of another kind, such as an answer of the service. Default: none. */
  readonly readAnswer?: ReadAnswer | undefined;
}

/** undefined: the JSON is not an item. */
export type ReadAnswer = (json: unknown, name: string) => GuideItem | WikiItem | undefined;

/** Throws UsageError when the source is not a document of the format. */
type DocumentReader = (
  source: string,
  options: ConvertDocumentOptions,
) => { readonly item: GuideItem | WikiItem; readonly issues: readonly ConvertIssue[] };

export const DOCUMENT_READERS: Readonly<Record<DocumentSource, DocumentReader>> = {
  omanual: (source, { name }) => withIssues(readXml(source, name), name),
  json: (source, { name, readAnswer }) => withIssues(readItem(source, name, readAnswer), name),
  markdown: pageReader("markdown"),
  html: pageReader("html"),
  wiki: pageReader("wiki"),
};

function pageReader(format: PageFormat): DocumentReader {
  return (source, { name, origin, as }) => {
    if (source.trim() === "") throw new UsageError(`${name} is empty, so there is nothing to convert.`);
    const page = PAGE_SOURCES[format](source, origin);
    return readPage(page, { name, guideKey: guideKey(name, null), as, text: source });
  };
}

function readXml(source: string, name: string): GuideItem | WikiItem {
  const result = readManual(source, { file: name });
  if (!result.ok) throw new UsageError(result.fault.message);
  const { manual, xml, issues } = result;
  const path = fileOf(name);
  const key = guideKey(name, manual.kind === "guide" ? manual.id : null);
  const bundle = { ...bundleOfOne(path, key), paths: new AnyPath() };
  const item = manualItem({ path, file: name, manual, xml, issues }, bundle);
  if (item !== undefined) return item;
  throw new UsageError(`${name} is only an index of documents. Convert the guides and categories that it lists.`);
}

/** Removes the name of the item from its messages, since the caller prints it. */
function withIssues(item: GuideItem | WikiItem, name: string): ReturnType<DocumentReader> {
  const issues = item.issues.map(({ code, level, path, message }) => ({
    ...{ code, level, path, start: 0, end: 0 },
    message: message.startsWith(name) ? message.slice(name.length).replace(/^:\s*/, "") : message,
  }));
  return { item, issues };
}

/** Its own id, else that of its file or folder (omanual 7), else one from the file's name. */
function guideKey(name: string, id: string | null): Key {
  const [file = "", folder = ""] = name.split(/[\\/]/).toReversed();
  const named = /^(?:guide|procedure)-(\d+)\.\w+$/i.exec(file)?.[1];
  const foldered = /^(?:guide|procedure)\.\w+$/i.test(file) ? /-(\d+)$/.exec(folder)?.[1] : undefined;
  return `guide/${idOf(id) ?? idOf(named) ?? idOf(foldered) ?? derivedId(fileOf(name))}`;
}

function fileOf(name: string): string {
  return name.split(/[\\/]/).at(-1) || "document";
}

/** Accepts all paths except scripts: a single document does not list the files next to it. */
class AnyPath extends Set<string> {
  override has(path: string): boolean {
    return !/^[a-z][a-z0-9+.-]*:/i.test(path);
  }
}

/** Throws UsageError for an item that the format has no document for. */
type DocumentWriter = (
  item: GuideItem | WikiItem,
  options: { readonly name: string; readonly origin?: string | undefined },
) => Converted;

const DOCUMENT_WRITERS: Readonly<Record<DocumentTarget, DocumentWriter>> = {
  json: writeJson,
  omanual: writeXml,
  markdown: pageWriter("markdown", "markdown", markdownPage),
  html: pageWriter("html", "html", htmlPage),
  "plain-html": pageWriter("plain-html", "html", htmlPage),
  wiki: pageWriter("wiki", "wiki", wikiPage),
};

/** Writes fields in the order of the model, so that equal items give equal texts. */
function writeJson(item: GuideItem | WikiItem): Converted {
  const { data = item } = itemSchema.safeParse(item);
  return { text: `${JSON.stringify(data, null, 2)}\n`, issues: [] };
}

/** Reads the page again after writing it and reports the differences. */
function pageWriter(
  format: FragmentFormat,
  readAs: PageFormat,
  write: (blocks: readonly PageBlock[], fragments: Fragments) => string,
): DocumentWriter {
  return (item, { name, origin }) => {
    const issues: ConvertIssue[] = [];
    const text = write(
      pageOf(item),
      fragmentsIn(format, origin, (issue) => void issues.push(issue)),
    );
    const read = readPage(PAGE_SOURCES[readAs](text, origin), { name, guideKey: item.key, text });
    return { text, issues: [...issues, ...pageDifferences(item, read.item)] };
  };
}

function writeXml(item: GuideItem | WikiItem, { origin }: { readonly origin?: string | undefined }): Converted {
  if (item.kind === "wiki")
    throw new UsageError(
      `oManual has only guides and categories, and this is a wiki of ${item.body.namespace}. Give --to json, markdown, html, plain-html or wiki.`,
    );
  const files = new Map(item.media.map(({ key, url }) => [key, pathOfAddress(url ?? "")]));
  const { xml, issues } = writeItem(item, { ...NO_CONTEXT, fileOf: (key) => files.get(key), origin });
  const reported = issues
    .filter(({ code }) => (code !== "step-ids" || hasStepIds(item)) && (code !== "site-html" || hasHtml(item)))
    .map(({ code, level, path, message }) => ({ code, level, path, message, start: 0, end: 0 }));
  return { text: xml, issues: [...idIssue(item), ...reported] };
}

/** Derived ids are no loss: the next reader derives them again. */
function hasStepIds(item: GuideItem | WikiItem): boolean {
  return item.kind === "guide" && item.body.steps.some(({ key }) => idOf(String(idIn(key))) !== null);
}

/** Pages without a site do not have HTML. */
function hasHtml(item: GuideItem | WikiItem): boolean {
  return item.kind !== "guide" && item.body.html !== "";
}

function idIssue({ key }: GuideItem | WikiItem): readonly ConvertIssue[] {
  const id = kindOf(key) === "guide" ? idOf(String(idIn(key))) : null;
  if (id === null) return [];
  const message = `A guide of oManual 1.0 does not have an id. Readers identify guide ${id} by the file's name, as guide-${id}.xml.`;
  return [{ code: "guide-id", level: "note", path: "id", message, start: 0, end: 0 }];
}

/** Throws UsageError with the place and the expectation. */
export function readItem(text: string, name: string, readAnswer: ReadAnswer = () => undefined): GuideItem | WikiItem {
  const value = parsed(text, name);
  if (!looksLikeItem(value)) {
    const answer = readAnswer(value, name);
    if (answer !== undefined) return answer;
    throw new UsageError(
      `${name} is JSON, but it is neither the JSON of a guide, category or wiki that \`--to json\` writes, nor an answer of the service.`,
    );
  }
  const result = itemSchema.safeParse(value);
  if (!result.success)
    throw new UsageError(`${name} is not the JSON of a whole item. ${wordsFor(result.error.issues)}`);
  const { data } = result;
  if (data.kind === "guide" || data.kind === "category" || data.kind === "wiki") return data;
  throw new UsageError(`${name} is the JSON of ${data.key}; guides, categories and wikis can be converted.`);
}

function looksLikeItem(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && "body" in value;
}

function parsed(text: string, name: string): unknown {
  if (text.trim() === "") throw new UsageError(`${name} is empty. The JSON of a guide, category or wiki is needed.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = jsonFault(text);
    if (fault === undefined) throw error;
    const { line, column, found, expected } = fault;
    const what = found === "" ? "it ends" : `there is ${JSON.stringify(found)}`;
    throw new UsageError(`${name}:${line}:${column}: this is not JSON: ${what} where ${expected} was expected.`, {
      cause: error,
    });
  }
}

const SHOWN = 3;

function wordsFor(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const words = issues.slice(0, SHOWN).map(({ path, message }) => `${pathOf(path)}: ${message}`);
  return `${words.join("; ")}${issues.length > SHOWN ? ` (and ${issues.length - SHOWN} more)` : ""}.`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const written = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return written.replace(/^\./, "") || "the whole document";
}

interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** Shortened; empty at the end of the text. */
  readonly found: string;
  readonly expected: string;
}

type State = "value" | "first-value" | "key" | "first-key" | "colon" | "next" | "end";

const BLANKS = /[ \t\r\n]*/y;
const TEXT = /"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

const EXPECTED: Readonly<Record<State, string>> = {
  value: "a value",
  "first-value": "a value or ]",
  key: "a field's name in double quotes",
  "first-key": "a field's name in double quotes or }",
  colon: "a colon",
  next: "a comma or the end of the list or object",
  end: "the end of the text",
};

/** Engines have different messages, some without a place. undefined: valid JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let state: State = "value";
  let at = 0;
  for (;;) {
    at += lengthOf(BLANKS, text, at);
    if (at >= text.length) return state === "end" ? undefined : faultAt(text, at, state, open);
    const step = stepFrom(state, text, at, open);
    if (step === undefined) return faultAt(text, at, state, open);
    at += step.length;
    state = step.state;
  }
}

interface Taken {
  readonly length: number;
  readonly state: State;
}

function stepFrom(state: State, text: string, at: number, open: string[]): Taken | undefined {
  const character = text.charAt(at);
  if (state === "colon") return character === ":" ? { length: 1, state: "value" } : undefined;
  if (character === open.at(-1) && state !== "value" && state !== "key") return close(open);
  if (state === "next") {
    const next = open.at(-1) === "}" ? "key" : "value";
    return character === "," ? { length: 1, state: next } : undefined;
  }
  if (state === "end") return undefined;
  const length = lengthOf(TEXT, text, at);
  if (state === "key" || state === "first-key") return length > 0 ? { length, state: "colon" } : undefined;
  if (character === "{" || character === "[") {
    open.push(character === "{" ? "}" : "]");
    return { length: 1, state: character === "{" ? "first-key" : "first-value" };
  }
  const scalar = length || lengthOf(SCALAR, text, at);
  return scalar > 0 ? { length: scalar, state: open.length > 0 ? "next" : "end" } : undefined;
}

function close(open: string[]): Taken {
  open.pop();
  return { length: 1, state: open.length > 0 ? "next" : "end" };
}

function faultAt(text: string, at: number, state: State, open: readonly string[]): JsonFault {
  const before = text.slice(0, at).split("\n");
  const found = /^[\w.+-]{1,20}|^./u.exec(text.slice(at))?.[0] ?? "";
  const expected = state === "next" ? `a comma or ${open.at(-1)}` : EXPECTED[state];
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, found, expected };
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Reports every loss by comparing an item with its page as read back. */
function pageDifferences(item: GuideItem | WikiItem, read: GuideItem | WikiItem): readonly ConvertIssue[] {
  return differences(comparable(item), comparable(read)).map(issueOf);
}

function issueOf(difference: Difference): ConvertIssue {
  const { path } = difference;
  return { ...reportOf(difference), path, start: 0, end: 0 };
}

function reportOf(difference: Difference): Pick<ConvertIssue, "code" | "level" | "message"> {
  const { path, one, other } = difference;
  if (NOT_ON_PAGES.test(path))
    return { code: "not-on-page", level: "loss", message: `A page does not have a place for ${path}.` };
  if (MADE_BY_SITES.has(path))
    return {
      code: "not-on-page",
      level: "note",
      message: `A page does not have a place for ${path}. A site makes the value again.`,
    };
  if (typeof one === "string" && typeof other === "string") {
    const spelling = spellingOf(path, one, other);
    if (spelling !== undefined) return spelling;
  }
  const message = `The value ${shown(one)} is read back from the page as ${shown(other)}.`;
  return { code: "page-differs", level: "loss", message };
}

const NOT_ON_PAGES =
  /^(?:comments|archived|viewers|releases|featuredDocument|workLogEnabled|publishedDate|url|suppliers|tableOfContents|pageTitle|position)$|^(?:author\.uniqueName|steps\[\d+\]\.(?:comments|lines\[\d+\]\.bulletStyle))$/;

const MADE_BY_SITES: ReadonlySet<string> = new Set(["html", "tree"]);

const PAGE_TEXT = /^(?:introduction|conclusion|contents)$/;
const LINE_TEXT = /^steps\[\d+\]\.lines\[\d+\]\.text$/;

/** Whether two wiki texts differ in spelling only. */
function spellingOf(
  path: string,
  one: string,
  other: string,
): Pick<ConvertIssue, "code" | "level" | "message"> | undefined {
  const shape = PAGE_TEXT.test(path) ? pageShape : LINE_TEXT.test(path) ? lineShape : undefined;
  if (shape === undefined) return undefined;
  if (shape(one) === shape(other))
    return {
      code: "text-spelling",
      level: "note",
      message: "The text reads back with the same meaning and another spelling.",
    };
  return { code: "text-markup", level: "loss", message: "The page cannot express all markup of this text." };
}

/** Outer blanks have no meaning. */
function pageShape(text: string): string {
  const { tree } = parse(text.trim(), { context: "page" });
  return tree.type === "page" ? shapeOf(tree.children) : print(tree);
}

function lineShape(text: string): string {
  const { tree } = parse(text.trim(), { context: "line" });
  return tree.type === "line" ? shapeOf([paragraph(tree.children)]) : print(tree);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

interface Difference {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Lists of different lengths differ as a whole. */
function differences(one: unknown, other: unknown, path = ""): readonly Difference[] {
  if (Object.is(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((each, index) => differences(each, other[index], `${path}[${index}]`));
  if (!isObject(one) || !isObject(other)) return [{ path, one, other }];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differences(one[name], other[name], path === "" ? name : `${path}.${name}`));
}

/** Replaces media by their addresses, since pages do not have ids. */
function comparable({ body, media }: Pick<GuideItem | WikiItem, "body" | "media">): unknown {
  const uses = new Map<string, MediaUse>(media.map((use) => [use.key, use]));
  return withoutIds({ ...body, id: undefined }, uses);
}

function withoutIds(value: unknown, uses: ReadonlyMap<string, MediaUse>): unknown {
  if (typeof value === "string") return uses.get(value)?.url ?? value;
  if (Array.isArray(value)) return value.map((each) => withoutIds(each, uses));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, inner]) => !(name === "key" && isStepKey(inner)));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutIds(inner, uses)]));
}

function isStepKey(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("step/");
}
