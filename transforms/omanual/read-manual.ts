import { readXml } from "../xml/read-xml.js";
import { elementsIn, type XmlElement } from "../xml/xml-document.js";
import type { XmlFault, XmlLimits } from "../xml/xml-fault.js";
import type { Manual, ManualCategory, ManualManifest, ManualVersion } from "./manual.js";
import { type Fields, fieldsOf, names, ownText, plainText } from "./read/fields.js";
import {
  readCategoryPart,
  readDocument,
  readFlag,
  readImage,
  readList,
  readPart,
  readReference,
} from "./read/lists.js";
import { readGuide } from "./read/read-guide.js";
import { hintedVersion, type ManualIssue, placeOf, type Reading, readText, report } from "./read/reading.js";

const INFOS = ["category_info", "topic_info", "device_info"];
const LISTS = ["flags", "ancestors", "categories", "children", "parts", "tools", "guides", "procedures", "documents"];
const PLAIN = [
  "locale",
  "lang",
  "langid",
  "id",
  "wikiid",
  "title",
  "image",
  "description",
  "solutions",
  "contents",
  "contents_raw",
  "contents_rendered",
  "solutions_url",
];

const CATEGORY = names(...PLAIN, ...INFOS, ...LISTS);

function readCategory(root: XmlElement, reading: Reading): ManualCategory {
  const fields = fieldsOf(root, "", CATEGORY, reading);
  const { fact } = fields;
  const image = fields.child("image");
  return {
    kind: "category",
    version:
      VERSIONS[root.name] ??
      hintedVersion(root) ??
      (fields.children("procedures").length > 0 || root.namespace === null ? "0.3" : "0.4"),
    id: fact("id") ?? fact("wikiid"),
    locale: fact("locale") ?? fact("langid") ?? fact("lang"),
    title: fact("title"),
    ...readInfo(fields),
    image: image === null ? null : readImage(image, "image", reading),
    description: readMixed(fields, "description"),
    flags: readList(fields, "flags", "flag", readFlag),
    // 0.4 called them categories (omanual 1).
    ancestors: [
      ...readList(fields, "ancestors", "ancestor", plainText),
      ...readList(fields, "categories", "category", plainText),
    ],
    children: readList(fields, "children", "child", plainText),
    solutions: readSolutions(fields),
    parts: readList(fields, "parts", ["part", "partCategory"], readCategoryPart),
    tools: readList(fields, "tools", "tool", readPart),
    contents: readMixed(fields, "contents"),
    guides: [
      ...readList(fields, "guides", "guide", readReference),
      ...readList(fields, "procedures", "procedure", readReference),
    ],
    documents: readList(fields, "documents", "document", readDocument),
    extra: reading.extra,
    at: placeOf(root),
  };
}

const VERSIONS: Readonly<Record<string, ManualVersion>> = { category: "1.0", device: "0.2" };

function readInfo(fields: Fields): Pick<ManualCategory, "name" | "manufacturer" | "introduced" | "discontinued"> {
  const element = INFOS.map(fields.child).find((each) => each !== null);
  if (element === undefined) return { name: null, manufacturer: null, introduced: null, discontinued: null };
  const info = fieldsOf(element, "info", names("name", "manufacturer", "introduced", "discontinued"), fields.reading);
  return {
    name: ownText(info) || info.fact("name"),
    manufacturer: info.fact("manufacturer"),
    introduced: info.fact("introduced"),
    discontinued: info.fact("discontinued"),
  };
}

function readMixed(fields: Fields, name: string): ManualCategory["contents"] {
  const element = fields.child(`${name}_rendered`) ?? fields.child(name);
  if (element === null) return null;
  const { fact } = fieldsOf({ ...element, children: [] }, name, names(`${name}_raw`), fields.reading);
  return readText(element, fact(`${name}_raw`) ?? fields.fact(`${name}_raw`), name, fields.reading);
}

function readSolutions(fields: Fields): ManualCategory["solutions"] {
  const element = fields.child("solutions");
  const address = fields.fact("solutions_url");
  if (element === null) return address === null ? null : { count: null, url: address };
  const { fact } = fieldsOf(element, "solutions", names("count", "url"), fields.reading);
  return { count: fact("count"), url: fact("url") };
}

const MANIFEST = names("locale", "lang", "title", "description", "categories", "procedures", "guides", "documents");

function readManifest(root: XmlElement, reading: Reading): ManualManifest {
  const fields = fieldsOf(root, "", MANIFEST, reading);
  const { fact } = fields;
  const guides = [
    ...readList(fields, "procedures", "procedure", readReference),
    ...readList(fields, "guides", "guide", readReference),
  ];
  return {
    kind: "manifest",
    version: hintedVersion(root) ?? versionOf(fields, guides),
    locale: fact("locale") ?? fact("lang"),
    title: fact("title"),
    description: fact("description"),
    categories: readList(fields, "categories", "category", plainText),
    guides,
    documents: readList(fields, "documents", "document", readDocument),
    extra: reading.extra,
    at: placeOf(root),
  };
}

/** 1.0 has none, or only title and description (documentation); 0.4 shows images of guides. */
function versionOf({ children }: Fields, guides: ManualManifest["guides"]): ManualVersion {
  if (["procedures", "categories", "documents"].every((name) => children(name).length === 0)) return "1.0";
  return guides.some(({ image }) => (image?.path ?? "") !== "") ? "0.4" : "0.3";
}

function issuesOf({ issues, omitted, file }: Reading): readonly ManualIssue[] {
  if (omitted === 0) return issues;
  const message = `${file}: ${omitted} more issues of this document are not listed.`;
  return [...issues, { code: "more-issues", level: "loss", path: "", message }];
}

export type { ManualIssue } from "./read/reading.js";

export interface ReadManualOptions {
  readonly file: string;
  readonly limits?: Partial<XmlLimits>;
  /** Decodes doubly escaped text and reads escaped tags as text. Default: true. */
  readonly undouble?: boolean;
}

export type ManualFault = Omit<XmlFault, "code"> & {
  readonly code: XmlFault["code"] | "omanual-root" | "omanual-empty";
};

export type ManualResult =
  | {
      readonly ok: true;
      readonly manual: Manual;
      readonly xml: string;
      readonly issues: readonly ManualIssue[];
    }
  | { readonly ok: false; readonly fault: ManualFault };

/**
 * Reads any version and servers' variants (omanual 1, 8); the root's local name decides.
 * Irregularities are Issues, an unreadable document is a fault. Never throws.
 */
export function readManual(input: Uint8Array | string, options: ReadManualOptions): ManualResult {
  const { file, limits = {}, undouble = true } = options;
  const result = readXml(input, { file, limits });
  if (!result.ok)
    return isDitaDoctype(input, result.fault) ? { ok: false, fault: ditaFault(result.fault, file) } : result;
  const { root, text, notes } = result.document;
  const read = ROOTS.get(root.name);
  if (isDita(root)) return { ok: false, fault: ditaFault(root, file) };
  if (read === undefined || isForeign(root)) return { ok: false, fault: otherRoot(root, file) };
  if (elementsIn(root).length === 0) return { ok: false, fault: emptyRoot(root, file) };
  const reading: Reading = { file, undoubles: undouble, issues: [], extra: [], omitted: 0 };
  for (const { code, message, ...place } of notes) report(reading, { code, level: "note", path: "" }, place, message);
  const manual = read(root, reading);
  return { ok: true, manual, xml: text, issues: issuesOf(reading) };
}

const ROOTS: ReadonlyMap<string, (root: XmlElement, reading: Reading) => Manual> = new Map<
  string,
  (root: XmlElement, reading: Reading) => Manual
>([
  ["guide", readGuide],
  ["procedure", readGuide],
  ["category", readCategory],
  ["topic", readCategory],
  ["device", readCategory],
  ["manifest", readManifest],
]);

export const ROOT_NAMES: ReadonlySet<string> = new Set(ROOTS.keys());

/** Roots of DITA only (DITA 1.3, 2.1.3); children identify a `topic`. */
const DITA_ROOTS: ReadonlySet<string> = new Set([
  ...["dita", "concept", "task", "reference", "glossentry", "glossgroup", "troubleshooting", "map", "bookmap"],
  ...["subjectScheme", "learningOverview", "learningContent", "learningSummary", "learningAssessment", "learningPlan"],
]);

const DITA_PARTS: ReadonlySet<string> = new Set(["body", "prolog", "shortdesc", "abstract", "related-links"]);

function isDita(root: XmlElement): boolean {
  if (DITA_ROOTS.has(root.name)) return true;
  return root.name === "topic" && elementsIn(root).some(({ name }) => DITA_PARTS.has(name));
}

/** DITA documents begin with a declaration, which is refused before their root is read. */
function isDitaDoctype(input: Uint8Array | string, { code }: XmlFault): boolean {
  if (code !== "xml-doctype") return false;
  const head =
    typeof input === "string" ? input.slice(0, HEAD) : new TextDecoder("latin1").decode(input.slice(0, HEAD));
  const [, root = "", rest = ""] = /<!DOCTYPE\s+([\w-]+)([^>[]*)/i.exec(head.replaceAll("\0", "")) ?? [];
  return DITA_ROOTS.has(root) || /\bDITA\b/.test(rest);
}

/** Comments may precede the declaration. */
const HEAD = 16_384;

function ditaFault({ line, column, element, name }: DitaPlace, file: string): ManualFault {
  const expected =
    "a manual of oManual (a <guide> or <category>); export the DITA document as HTML or Markdown and convert that";
  const message = `${file}:${line}:${column}: this is a DITA document, which guideferry does not read. Expected: ${expected}.`;
  return { code: "omanual-root", file, line, column, element: element ?? name ?? null, expected, message };
}

interface DitaPlace {
  readonly line: number;
  readonly column: number;
  readonly element?: string | null;
  readonly name?: string;
}

/** Children that only SCORM's `manifest`, DITA's `topic` and other formats have. */
const FOREIGN: ReadonlySet<string> = new Set([
  "organizations",
  "resources",
  "body",
  "prolog",
  "application",
  "uses-sdk",
]);

function isForeign(root: XmlElement): boolean {
  return elementsIn(root).some(({ name }) => FOREIGN.has(name));
}

function otherRoot(root: XmlElement, file: string): ManualFault {
  return faultAt(
    root,
    file,
    "omanual-root",
    `<${root.name}> is not the root of a manual`,
    "a <guide>, <category>, <procedure>, <topic>, <device> or <manifest> of oManual",
  );
}

function emptyRoot(root: XmlElement, file: string): ManualFault {
  return faultAt(root, file, "omanual-empty", `<${root.name}> is empty`, "a title, steps or other content in it");
}

function faultAt(
  root: XmlElement,
  file: string,
  code: ManualFault["code"],
  what: string,
  expected: string,
): ManualFault {
  const { line, column, name } = root;
  const message = `${file}:${line}:${column}: ${what}. Expected: ${expected}.`;
  return { code, file, line, column, element: name, expected, message };
}
