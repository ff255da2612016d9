import { readXml } from "../xml/read-xml.js";
import { elementsIn } from "../xml/walk.js";
import type { XmlElement } from "../xml/xml-document.js";
import type { XmlFault } from "../xml/xml-fault.js";
import type { XmlLimits } from "../xml/xml-limits.js";
import type { Manual } from "./manual.js";
import { readCategory } from "./read/read-category.js";
import { readGuide } from "./read/read-guide.js";
import { readManifest } from "./read/read-manifest.js";
import { issuesOf, type ManualIssue, type Reading, report } from "./read/reading.js";

export type { ManualIssue } from "./read/reading.js";

export interface ReadManualOptions {
  /** How messages name it. */
  readonly file: string;
  readonly limits?: Partial<XmlLimits>;
  /**
   * Decode once more what servers escaped twice, and take tags that stand escaped as text for tags. Default: true. A text that
   * shows such things to its readers can't be told from one; false keeps it, for documents that are known to be right.
   */
  readonly undouble?: boolean;
}

/** Why a document is no manual, in the form of the gate's own faults. */
export type ManualFault = Omit<XmlFault, "code"> & {
  readonly code: XmlFault["code"] | "omanual-root" | "omanual-empty";
};

export type ManualResult =
  | {
      readonly ok: true;
      readonly manual: Manual;
      /** The document as it stands, decoded. */
      readonly xml: string;
      readonly issues: readonly ManualIssue[];
    }
  | { readonly ok: false; readonly fault: ManualFault };

/**
 * Reads an oManual document of any version, and what servers make of it (omanual 8): which one it is, the root's local
 * name says, whatever the namespace. What is odd about it is an Issue; what can't be read at all is a fault. Never throws.
 */
export function readManual(input: Uint8Array | string, options: ReadManualOptions): ManualResult {
  const { file, limits = {}, undouble = true } = options;
  const result = readXml(input, { file, limits });
  if (!result.ok) return result;
  const { root, text, notes } = result.document;
  const read = ROOTS.get(root.name);
  if (read === undefined || isForeign(root)) return { ok: false, fault: otherRoot(root, file) };
  if (elementsIn(root).length === 0) return { ok: false, fault: emptyRoot(root, file) };
  const reading: Reading = { file, undoubles: undouble, issues: [], extra: [], untold: 0 };
  for (const { code, message, ...place } of notes) report(reading, { code, level: "note", path: "" }, place, message);
  const manual = read(root, reading);
  return { ok: true, manual, xml: text, issues: issuesOf(reading) };
}

/** By the root's local name (omanual 1). */
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

/** Packages of other kinds have roots of the same names: SCORM's `manifest`, DITA's `topic`. */
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
