import { decodeXml } from "../xml/decode-bytes.js";
import { readXml } from "../xml/read-xml.js";
import { elementsIn, type XmlElement } from "../xml/xml-document.js";
import type { XmlFault, XmlFaultCode, XmlNote, XmlNoteCode } from "../xml/xml-fault.js";
import type { Family } from "./elements.js";
import type { FindingCollector } from "./findings.js";
import { MANIFEST_LIMITS, MANIFEST_XML_LIMITS } from "./manifest-limits.js";
import type { TrainingCode } from "./training-codes.js";
import type { Repair, Validation, XmlEdit } from "./validation.js";

interface ManifestText {
  /** As written, with repairs so far. */
  readonly text: string;
  /** As TextDecoder names it. */
  readonly encoding: string;
  /** UTF-8's byte order mark. */
  readonly hasMark: boolean;
  /** The declaration names another encoding. */
  readonly isMisdeclared: boolean;
  /** White space precedes the declaration. */
  readonly isLate: boolean;
  readonly isChanged: boolean;
}

export interface ManifestXml {
  readonly path: string;
  readonly root: XmlElement;
  readonly source: ManifestText;
  readonly repairs: readonly Repair[];
}

export type ManifestBytes = Uint8Array | "too-large" | undefined;

/** Escapes bare ampersands first. null, and findings: it cannot be read. */
export function readManifestXml(path: string, bytes: ManifestBytes, findings: FindingCollector): ManifestXml | null {
  if (bytes === undefined || bytes === "too-large" || bytes.length > MANIFEST_LIMITS.bytes) {
    reportUnreadable(path, bytes, findings);
    return null;
  }
  const decoded = decodeXml(bytes, { file: path, isForgiving: true });
  if (!decoded.ok) return refused(decoded.fault, "", findings);
  const escaped = escapeAmpersands(decoded.text);
  const namespace = repairNamespace(escaped.text);
  const text = namespace?.text ?? escaped.text;
  const result = readXml(text, { file: path, limits: MANIFEST_XML_LIMITS });
  if (!result.ok) return refused(result.fault, text, findings);
  const { root, notes } = result.document;
  for (const note of [...decoded.notes, ...notes])
    findings.add(NOTE_CODES[note.code], placeOf(path, note), note.message);
  for (const place of escaped.places)
    findings.add(
      "W_XML_REPAIRED_AMPERSAND",
      placeOf(path, place),
      "an & that does not begin a reference was read as &amp;",
    );
  if (namespace !== undefined) findings.add("W_MAN_NAMESPACE", placeOf(path, root), namespace.was);
  if (!checkNames(root, path, findings)) return null;
  const source: ManifestText = {
    text,
    encoding: decoded.encoding,
    hasMark: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
    isMisdeclared: decoded.notes.length > 0,
    isLate: notes.some(({ code }) => code === "xml-declaration-late"),
    isChanged: escaped.count > 0 || namespace !== undefined,
  };
  const repairs = repairsOf(path, escaped.count, [...decoded.notes, ...notes]);
  if (namespace !== undefined) repairs.push({ code: "W_MAN_NAMESPACE", path, what: namespace.repair });
  return { path, root, source, repairs };
}

export function placeOf(path: string, { line, column }: { readonly line: number; readonly column: number }): string {
  return `${path}:${line}:${column}`;
}

function reportUnreadable(path: string, bytes: ManifestBytes, findings: FindingCollector): void {
  if (bytes === undefined) findings.add("E_PKG_NO_MANIFEST", path, "its content is missing");
  else if (!findings.has("E_XML_TOO_LARGE"))
    findings.add("E_XML_TOO_LARGE", path, `it has more than ${MANIFEST_LIMITS.bytes} bytes`);
}

/** Counts elements in a file at which the parser stopped early. */
const COUNTED = /<(?:[\w.-]+:)?(?:item|au|activity)[\s>]/g;

function refused({ code, line, column, file, message }: XmlFault, text: string, findings: FindingCollector): null {
  const what = message.slice(message.indexOf(": ") + 2);
  findings.add(codeOfFault(code), placeOf(file, { line, column }), what);
  if (code === "xml-encoding") findings.add("W_XML_ENCODING", placeOf(file, { line, column }), what);
  if (code !== "xml-too-many-nodes" && code !== "xml-too-many-attributes") return null;
  const items = text.match(COUNTED)?.length ?? 0;
  if (items > MANIFEST_LIMITS.items)
    findings.add("E_MAN_TOO_MANY_ITEMS", file, `${items} items, the limit is ${MANIFEST_LIMITS.items}`);
  return null;
}

function repairsOf(path: string, ampersands: number, notes: readonly XmlNote[]): Repair[] {
  const codes = new Set(notes.map(({ code }) => code));
  const isLate = codes.has("xml-declaration-late");
  const isMisdeclared = codes.has("xml-encoding-differs") || codes.has("xml-byte-order-mark-missing");
  return [
    ...(ampersands > 0 ? [{ code: "W_XML_REPAIRED_AMPERSAND", path, what: `${ampersands} bare & became &amp;` }] : []),
    ...(isMisdeclared ? [{ code: "W_XML_ENCODING", path, what: "it became UTF-8 and declares it" }] : []),
    ...(isLate
      ? [{ code: "W_XML_DECLARATION", path, what: "white space before the XML declaration was removed" }]
      : []),
  ];
}

/** Other faults are E_XML_NOT_WELLFORMED. */
const FAULTS: Partial<Readonly<Record<XmlFaultCode, TrainingCode>>> = {
  "xml-doctype": "E_XML_DOCTYPE",
  "xml-too-deep": "E_XML_DEPTH",
  "xml-too-large": "E_XML_TOO_LARGE",
  "xml-too-many-nodes": "E_XML_TOO_LARGE",
  "xml-too-many-attributes": "E_XML_TOO_LARGE",
  "xml-name-too-long": "E_XML_TOO_LARGE",
  "xml-text-too-long": "E_XML_TEXT_TOO_LONG",
};

function codeOfFault(code: XmlFaultCode): TrainingCode {
  return FAULTS[code] ?? "E_XML_NOT_WELLFORMED";
}

const NOTE_CODES: Readonly<Record<XmlNoteCode, TrainingCode>> = {
  "xml-byte-order-mark-missing": "W_XML_ENCODING",
  "xml-encoding-differs": "W_XML_ENCODING",
  "xml-declaration-late": "W_XML_DECLARATION",
  "xml-version-unknown": "W_XML_DECLARATION",
  "xml-prefix-undeclared": "W_XML_UNBOUND_PREFIX",
};

const DANGEROUS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Reports element names that break JavaScript programs; false: there is one. */
function checkNames(root: XmlElement, path: string, findings: FindingCollector): boolean {
  const found = findNamed(root);
  if (found === undefined) return true;
  findings.add("E_XML_DANGEROUS_NAME", `${path}:${found.line}:${found.column}`, `an element is named ${found.name}`);
  return false;
}

function findNamed(element: XmlElement): XmlElement | undefined {
  if (DANGEROUS.has(element.name)) return element;
  for (const child of elementsIn(element)) {
    const found = findNamed(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Namespaces of content packaging (training modules, 2.2). */
const PACKAGING: Readonly<Record<Family, string>> = {
  "1.2": "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
  "2004": "http://www.imsglobal.org/xsd/imscp_v1p1",
};

interface RepairedNamespace {
  readonly text: string;
  readonly was: string;
  readonly repair: string;
}

/** The text before the first element. Each part ends before the next begins, for linear time. */
const PROLOG = /^\uFEFF?(?:\s+|<!--[^-]*(?:-[^-]+)*-->|<\?[^?]*(?:\?[^>?][^?]*)*\?>)*/;
const START_TAG = /<([^\s<>/="']+)(?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>/y;
const DECLARATION = /(\sxmlns\s*=\s*)(?:"([^"]*)"|'([^']*)')/;

/**
 * Adds a missing SCORM namespace or removes its final slash, which many LMSs accept, since they
 * read local names only. undefined: nothing to repair.
 */
function repairNamespace(text: string): RepairedNamespace | undefined {
  START_TAG.lastIndex = PROLOG.exec(text)?.[0].length ?? 0;
  const tag = START_TAG.exec(text);
  if (tag === null || tag[1] !== "manifest") return undefined;
  const [start] = tag;
  const declared = DECLARATION.exec(start);
  const namespace = declared === null ? null : (declared[2] ?? declared[3] ?? "");
  const wanted = wantedNamespace(namespace, start, text);
  if (wanted === undefined) return undefined;
  const written =
    declared === null
      ? start.replace("<manifest", `<manifest xmlns="${wanted}"`)
      : start.replace(DECLARATION, (_all, before: string) => `${before}"${wanted}"`);
  return {
    text: text.slice(0, tag.index) + written + text.slice(tag.index + start.length),
    was: namespace === null || namespace === "" ? "<manifest> has no namespace" : `its namespace is "${namespace}"`,
    repair: `the namespace became ${wanted}`,
  };
}

function wantedNamespace(namespace: string | null, start: string, text: string): string | undefined {
  if (namespace === null || namespace === "") return PACKAGING[familyIn(start, text)];
  const bare = namespace.replace(/\/+$/, "");
  return bare !== namespace && Object.values(PACKAGING).includes(bare) ? bare : undefined;
}

/** By the ADL namespace of the first element, else by the version. */
function familyIn(start: string, text: string): Family {
  if (/\/adlcp_v1p3/i.test(start)) return "2004";
  if (/\/adlcp_rootv1p2/i.test(start)) return "1.2";
  const [, version = ""] = /<schemaversion>\s*([^<]{1,60})/i.exec(text) ?? [];
  return /2004|CAM/i.test(version) ? "2004" : "1.2";
}

export interface RepairedManifest {
  readonly rewritten: ReadonlyMap<string, Uint8Array>;
  readonly repairs: readonly Repair[];
}

const WORDS: Readonly<Record<string, string>> = {
  W_MAN_HREF_BACKSLASH: "back-slashes in addresses became slashes",
  W_MAN_HREF_ROOT: "the first slash of addresses was removed",
  W_ZIP_NAME_NFD: "addresses got Unicode form C, like the names of files",
  W_MAN_CASE_MISMATCH: "addresses got the letter case of their files",
};

export function repairManifest(xml: ManifestXml, validation: Validation): RepairedManifest {
  const { path, source, repairs } = xml;
  const bytes = rewriteManifest(source, validation.edits);
  if (bytes === undefined) return UNCHANGED;
  return { rewritten: new Map([[path, bytes]]), repairs: [...repairs, ...addressRepairs(path, validation)] };
}

export const UNCHANGED: RepairedManifest = { rewritten: new Map(), repairs: [] };

export function addressRepairs(path: string, { repaired }: Validation): readonly Repair[] {
  return [...repaired].map(([code, count]) => ({
    code,
    path,
    what: `${count} ${WORDS[code] ?? "addresses were repaired"}`,
  }));
}

const DECLARED = /^(<\?xml\s[^>]*?\bencoding\s*=\s*)(["'])[^"'>]*\2/;
/** undefined: unchanged. A changed file is UTF-8 and declares it. */
function rewriteManifest(manifest: ManifestText, edits: readonly XmlEdit[]): Uint8Array | undefined {
  const text = editXml(manifest.text, edits);
  if (text === manifest.text && !manifest.isChanged && !manifest.isMisdeclared && !manifest.isLate) return undefined;
  const isUtf8 = manifest.encoding === "utf-8" && !manifest.isMisdeclared;
  // After the edits, whose places refer to the original lines.
  const trimmed = manifest.isLate ? text.trimStart() : text;
  const declared = isUtf8 ? trimmed : trimmed.replace(DECLARED, "$1$2UTF-8$2");
  return new TextEncoder().encode(manifest.hasMark ? `\ufeff${declared}` : declared);
}

const ASIDE_OR_TAG = /<!--|<!\[CDATA\[|<\?|<[^/!?]/g;
const ENDS: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
]);

const NAME = /[^\s/>]+/y;
const CONTENT = /(\s*>)([^<]*)/y;
const ATTRIBUTE = /(\s+)([^\s=<>/]+)(\s*=\s*)("[^"]*"|'[^']*')/y;
/** Keeps every other character. Linear. */
function editXml(text: string, edits: readonly XmlEdit[]): string {
  if (edits.length === 0) return text;
  const byPlace = grouped(edits);
  const cursor = new LineCursor(text);
  const pieces: string[] = [];
  let kept = 0;
  ASIDE_OR_TAG.lastIndex = 0;
  for (let stop = ASIDE_OR_TAG.exec(text); stop !== null; stop = ASIDE_OR_TAG.exec(text)) {
    const end = ENDS.get(stop[0]);
    if (end !== undefined) {
      const closed = text.indexOf(end, ASIDE_OR_TAG.lastIndex);
      if (closed < 0) break;
      ASIDE_OR_TAG.lastIndex = closed + end.length;
      continue;
    }
    const wanted = byPlace.get(placeKey(cursor.placeAt(stop.index)));
    if (wanted === undefined) continue;
    const { at, changed } = changeTag(text, stop.index + 1, wanted);
    pieces.push(text.slice(kept, stop.index + 1), changed);
    kept = at;
    ASIDE_OR_TAG.lastIndex = at;
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

/** Ends at the last attribute, or at the end of a changed text. */
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

const PLACES = 1000;
/** Joins pieces early: millions would take hundreds of megabytes. */
const PIECES = 4096;
/** References stay (XML 1.0, 4.1), also unknown entities, which the parser refuses. */
const REFERENCE = /&(?:[A-Za-z_:][\w.:-]*|#[0-9]+|#x[0-9a-fA-F]+);/y;
const ASIDE_OR_AMPERSAND = /<!--|<!\[CDATA\[|<\?|&/g;
/** Skips comments, CDATA sections and instructions. Linear. */
function escapeAmpersands(text: string): Escaped {
  const cursor = new LineCursor(text);
  const places: { readonly line: number; readonly column: number }[] = [];
  const pieces: string[] = [];
  let kept = 0;
  let count = 0;
  let done = "";
  ASIDE_OR_AMPERSAND.lastIndex = 0;
  for (let stop = ASIDE_OR_AMPERSAND.exec(text); stop !== null; stop = ASIDE_OR_AMPERSAND.exec(text)) {
    const [opening] = stop;
    const end = ENDS.get(opening);
    if (end !== undefined) {
      const closed = text.indexOf(end, stop.index + opening.length);
      if (closed < 0) break;
      ASIDE_OR_AMPERSAND.lastIndex = closed + end.length;
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

/** For ascending offsets; lines end with LF, CR LF or CR (XML 1.0, 2.11). From 1. */
class LineCursor {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;
  #nextEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextEnd = endOfLine(text, 0);
  }

  placeAt(at: number): { readonly line: number; readonly column: number } {
    while (this.#nextEnd < at) {
      const isPair = this.#text.startsWith("\r\n", this.#nextEnd);
      this.#lineStart = this.#nextEnd + (isPair ? 2 : 1);
      this.#line += 1;
      this.#nextEnd = endOfLine(this.#text, this.#lineStart);
    }
    return { line: this.#line, column: at - this.#lineStart + 1 };
  }
}

const LINE_END = /[\r\n]/g;
function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

interface Escaped {
  readonly text: string;
  readonly places: readonly { readonly line: number; readonly column: number }[];
  readonly count: number;
}
