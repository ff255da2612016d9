import { buildTree, decodeValue, parseTree } from "./build-tree.js";
import { type Decoded, decodeBytes, decodeStart, withLineFeeds } from "./decode-bytes.js";
import { scan } from "./scan.js";
import type { XmlResult } from "./xml-document.js";
import { FaultFound, faultOf, XML_LIMITS, type XmlLimits } from "./xml-fault.js";

export interface ReadXmlOptions {
  /** How messages name it: `manual.omanual:guide-12/guide.xml`. */
  readonly file: string;
  /** Those that differ from XML_LIMITS. */
  readonly limits?: Partial<XmlLimits>;
}

/**
 * The one gate that foreign XML passes: bytes, or text that is decoded already, as a small tree.
 * Well-formed XML 1.0 with namespaces within stated limits is read, everything else is a fault with
 * its place; a DOCTYPE is refused, entities are never expanded beyond XML's own five. Never throws;
 * time is in proportion to the length.
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

/** A root element as far as the first characters of a file show it; nothing is checked. */
export interface PeekedRoot {
  /** The local name. */
  readonly name: string;
  /** Without prefixes. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Enough for a declaration, a licence in a comment and a root with its namespaces. */
export const PEEKED_BYTES = 16_384;

const BLANK = /[ \t\n]+/y;
const TAG = /<(?:[^\s<>/=:]+:)?([^\s<>/=:!?]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /\s(?:[^\s<>/=:]+:)?([^\s<>/=:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The root's name and attributes without reading the file; undefined where the beginning doesn't
 * show them.
 */
export function peekRoot(bytes: Uint8Array): PeekedRoot | undefined {
  const text = decodeStart(bytes, PEEKED_BYTES);
  TAG.lastIndex = rootStart(text);
  const found = TAG.exec(text);
  if (found === null) return undefined;
  const [, name = "", attributes = ""] = found;
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map(
    ([, key = "", double, single]) => [key, decodeValue(double ?? single ?? "")] as const,
  );
  return { name, attributes: new Map(pairs) };
}

/** Behind white space, comments, instructions. */
function rootStart(text: string): number {
  let at = 0;
  for (;;) {
    BLANK.lastIndex = at;
    if (BLANK.test(text)) at = BLANK.lastIndex;
    const aside = ASIDES.find(({ start }) => text.startsWith(start, at));
    if (aside === undefined) return at;
    const end = text.indexOf(aside.end, at + aside.start.length);
    if (end < 0) return text.length;
    at = end + aside.end.length;
  }
}

const ASIDES = [
  { start: "<!--", end: "-->" },
  { start: "<?", end: "?>" },
] as const;
