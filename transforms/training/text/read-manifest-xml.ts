import { decodeXml } from "../../xml/decode-xml.js";
import { readXml } from "../../xml/read-xml.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { XmlFault, XmlNote } from "../../xml/xml-fault.js";
import type { FindingCollector } from "../finding-collector.js";
import type { Repair } from "../judgement.js";
import { MANIFEST_LIMITS, MANIFEST_XML_LIMITS } from "../manifest-limits.js";
import { checkNames } from "./check-names.js";
import { escapeAmpersands } from "./escape-ampersands.js";
import type { ManifestText } from "./manifest-text.js";
import { repairNamespace } from "./repair-namespace.js";
import { codeOfFault, NOTE_CODES } from "./xml-codes.js";

/** A manifest that passed the gate. */
export interface ManifestXml {
  readonly path: string;
  readonly root: XmlElement;
  readonly source: ManifestText;
  readonly repairs: readonly Repair[];
}

/** What a manifest's bytes are in the contents that a caller gives. */
export type ManifestBytes = Uint8Array | "too-large" | undefined;

/** A manifest through the gate, with its bare ampersands mended; null, and findings, where it can't be read. */
export function readManifestXml(path: string, bytes: ManifestBytes, findings: FindingCollector): ManifestXml | null {
  if (bytes === undefined || bytes === "too-large" || bytes.length > MANIFEST_LIMITS.bytes) {
    tellUnread(path, bytes, findings);
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
    findings.add("W_XML_REPAIRED_AMPERSAND", placeOf(path, place), "an & that begins no reference was read as &amp;");
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

function tellUnread(path: string, bytes: ManifestBytes, findings: FindingCollector): void {
  if (bytes === undefined) findings.add("E_PKG_NO_MANIFEST", path, "its content was not given");
  else if (!findings.has("E_XML_TOO_LARGE"))
    findings.add("E_XML_TOO_LARGE", path, `it has more than ${MANIFEST_LIMITS.bytes} bytes`);
}

/** Elements that one comes upon by the thousand, where the gate stopped before they could be counted. */
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
    ...(isMisdeclared ? [{ code: "W_XML_ENCODING", path, what: "it became UTF-8 and says so" }] : []),
    ...(isLate
      ? [{ code: "W_XML_DECLARATION", path, what: "white space before the XML declaration was taken out" }]
      : []),
  ];
}
