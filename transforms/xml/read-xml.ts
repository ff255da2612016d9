import { buildTree } from "./build-tree.js";
import { type Decoded, decodeBytes, withLineFeeds } from "./decode-bytes.js";
import { parseTree } from "./parse-tree.js";
import { scan } from "./scan.js";
import type { XmlResult } from "./xml-document.js";
import { FaultFound, faultOf } from "./xml-fault.js";
import { XML_LIMITS, type XmlLimits } from "./xml-limits.js";

export interface ReadXmlOptions {
  /** How messages name it: `manual.omanual:guide-12/guide.xml`. */
  readonly file: string;
  /** Those that differ from XML_LIMITS. */
  readonly limits?: Partial<XmlLimits>;
}

/**
 * The one gate that foreign XML passes: bytes, or text that is decoded already, as a small tree. Well-formed XML 1.0 with
 * namespaces within stated limits is read, everything else is a fault with its place; a DOCTYPE is refused, entities are
 * never expanded beyond XML's own five. Never throws; time is in proportion to the length.
 */
export function readXml(input: Uint8Array | string, { file, limits }: ReadXmlOptions): XmlResult {
  const bounds = { ...XML_LIMITS, ...limits };
  let text = "";
  try {
    checkSize(input.length, bounds);
    const decoded = typeof input === "string" ? textAsGiven(input) : decodeBytes(input);
    text = decoded.text;
    const scanned = scan(text, bounds);
    const { root, notes } = buildTree(parseTree(scanned.text), text, scanned);
    return { ok: true, document: { root, text, notes: [...decoded.notes, ...scanned.notes, ...notes] } };
  } catch (error) {
    if (!(error instanceof FaultFound)) throw error;
    return { ok: false, fault: faultOf(text, file, error.finding) };
  }
}

function textAsGiven(text: string): Decoded {
  return { text: withLineFeeds(text.startsWith("\ufeff") ? text.slice(1) : text), notes: [] };
}

function checkSize(size: number, { bytes }: XmlLimits): void {
  if (size <= bytes) return;
  throw new FaultFound({
    code: "xml-too-large",
    at: 0,
    element: null,
    what: `the file has ${size} bytes`,
    expected: `at most ${bytes}; split it`,
  });
}
