import { XMLParser } from "fast-xml-parser";
import { textIn } from "../../src/core/util/json.js";
import { type Decoded, decodeBytes, decodeStart, withLineFeeds } from "./decode-bytes.js";
import { scan } from "./scan.js";
import { type Scanned, type ScannedAttributes, TOKEN } from "./scanning.js";
import type { XmlAttribute, XmlElement, XmlNode, XmlResult } from "./xml-document.js";
import { FaultFound, faultOf, XML_LIMITS, type XmlLimits, type XmlNote } from "./xml-fault.js";

export interface ReadXmlOptions {
  /** How messages name it: `manual.omanual:guide-12/guide.xml`. */
  readonly file: string;
  readonly limits?: Partial<XmlLimits>;
}

/**
 * The only entry for external XML, as bytes or text. Everything but well-formed XML 1.0 with
 * namespaces within the limits is a fault with its place; a DOCTYPE is refused, and only XML's own
 * five entities are expanded. Never throws; linear time.
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
    expected: `at most ${bytes}; divide the file`,
  });
}

/** The root as shown by the first characters of a file, unchecked. */
export interface PeekedRoot {
  readonly name: string;
  /** Without prefixes. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Enough for a declaration, a licence in a comment and a root with its namespaces. */
export const PEEKED_BYTES = 16_384;

const BLANK = /[ \t\n]+/y;
const TAG = /<(?:[^\s<>/=:]+:)?([^\s<>/=:!?]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /\s(?:[^\s<>/=:]+:)?([^\s<>/=:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** undefined: the beginning does not show the root. */
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

/**
 * Decodes references and resolves namespaces. The scan and fast-xml-parser must agree on every
 * element's name, else the document is refused (FaultFound).
 */
function buildTree(
  parsed: readonly ParsedNode[],
  text: string,
  scanned: Found,
): { readonly root: XmlElement; readonly notes: readonly XmlNote[] } {
  const building = startBuilding(text, scanned);
  const root = buildChildren(parsed, NO_NAMESPACES, building).find((node) => typeof node !== "string");
  if (root === undefined || building.next !== scanned.starts.length)
    throw disagreement(building, scanned.starts.at(-1) ?? 0);
  return { root, notes: building.notes };
}

function buildChildren(parsed: readonly ParsedNode[], scope: Scope, building: Building): readonly XmlNode[] {
  if (parsed.length === 0) return NONE;
  const children: XmlNode[] = [];
  let words = "";
  for (const node of parsed) {
    // Its one field.
    for (const key in node) {
      const content = node[key] ?? "";
      if (key === "#text") words += decodeReferences(restoreHeldTexts(content as string, building.held));
      else if (key === "#cdata") words += cdataIn(content);
      else {
        if (words !== "") children.push(words);
        words = "";
        children.push(buildElement(key.slice(1), content, scope, building));
      }
    }
  }
  if (words !== "") children.push(words);
  return children;
}

const NONE: readonly never[] = [];

function cdataIn(content: ParsedContent): string {
  const [inner] = content as readonly ParsedNode[];
  const text = inner?.["#text"];
  return textIn(text);
}

function buildElement(written: string, content: ParsedContent, outer: Scope, building: Building): XmlElement {
  const place = placeNext(building, written);
  const { line, column } = place;
  const { attributes, scope } = buildAttributes(outer, building, place);
  const [prefix, name] = splitName(written);
  return {
    name,
    prefix,
    namespace: resolve(prefix, scope, building, place),
    attributes,
    children: buildChildren(content as readonly ParsedNode[], scope, building),
    line,
    column,
  };
}

interface BuiltAttributes {
  /** Without declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[];
  readonly scope: Scope;
}

function buildAttributes(outer: Scope, building: Building, place: Place): BuiltAttributes {
  const { names, values, ends } = building.attributes;
  const [first, end] = [ends[building.next - 2] ?? 0, ends[building.next - 1] ?? 0];
  if (first === end) return { attributes: NONE, scope: outer };
  const scope = scopeOf(first, end, outer, building);
  const attributes: XmlAttribute[] = [];
  let prefixed = 0;
  for (let at = first; at < end; at += 1) {
    const written = names[at] ?? "";
    if (isDeclaration(written)) continue;
    const [prefix, name] = splitName(written);
    // The default namespace is not one of attributes (Namespaces in XML, 6.2).
    const namespace = prefix === "" ? null : resolve(prefix, scope, building, place);
    if (prefix !== "") prefixed += 1;
    attributes.push({ name, prefix, namespace, value: decodeValue(values[at] ?? "") });
  }
  if (prefixed > 1) checkExpanded(attributes, building);
  return { attributes, scope };
}

function scopeOf(first: number, end: number, outer: Scope, { attributes: { names, values } }: Building): Scope {
  const declared: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const name = names[at] ?? "";
    if (isDeclaration(name)) declared.push([name, decodeValue(values[at] ?? "")]);
  }
  return declared.length === 0 ? outer : declareNamespaces(declared, outer);
}

function isDeclaration(written: string): boolean {
  return written.startsWith("xmlns") && (written.length === 5 || written.charAt(5) === ":");
}

/** Two prefixes may be one namespace (Namespaces in XML, 6.3); equal names were refused earlier. */
function checkExpanded(attributes: readonly XmlAttribute[], { text, starts, next }: Building): void {
  const expanded = new Set(attributes.map(({ name, prefix, namespace }) => `${namespace ?? prefix} ${name}`));
  if (expanded.size === attributes.length) return;
  const at = starts[next - 1] ?? 0;
  const element = /^<([^\s/>]*)/.exec(text.slice(at, at + 300))?.[1] ?? null;
  const what = "an attribute occurs twice, with two prefixes of the same namespace";
  throw new FaultFound({ code: "xml-attribute-twice", at, element, what, expected: "each attribute once" });
}

interface Building {
  readonly text: string;
  readonly starts: readonly number[];
  readonly attributes: ScannedAttributes;
  readonly held: readonly string[];
  next: number;
  line: number;
  lineStart: number;
  /** Kept, since a search for each element takes quadratic time. */
  lineEnd: number;
  readonly undeclared: Set<string>;
  readonly notes: XmlNote[];
}

type Found = Pick<Scanned, "starts" | "held" | "attributes">;

function startBuilding(text: string, { starts, held, attributes }: Found): Building {
  return {
    text,
    starts,
    attributes,
    held,
    next: 0,
    line: 1,
    lineStart: 0,
    lineEnd: lineEndOf(text, 0),
    undeclared: new Set(),
    notes: [],
  };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Throws FaultFound unless the scan saw the name there. */
function placeNext(building: Building, written: string): Place {
  const { text, starts } = building;
  const at = starts[building.next] ?? -1;
  if (at < 0 || !text.startsWith(written, at + 1)) throw disagreement(building, Math.max(at, 0));
  building.next += 1;
  while (building.lineEnd < at) {
    building.line += 1;
    building.lineStart = building.lineEnd + 1;
    building.lineEnd = lineEndOf(text, building.lineStart);
  }
  return { line: building.line, column: at - building.lineStart + 1 };
}

function lineEndOf(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

/** Notes an undeclared prefix. */
function resolve(prefix: string, scope: Scope, building: Building, place: Place): string | null {
  const namespace = namespaceOf(scope, prefix);
  if (namespace === undefined && prefix !== "" && !building.undeclared.has(prefix)) {
    building.undeclared.add(prefix);
    const message = `the prefix ${prefix} is not declared; its names are read without a namespace`;
    building.notes.push({ code: "xml-prefix-undeclared", message, ...place });
  }
  return namespace ?? null;
}

function splitName(written: string): readonly [prefix: string, name: string] {
  const colon = written.indexOf(":");
  return colon < 0 ? ["", written] : [written.slice(0, colon), written.slice(colon + 1)];
}

/** If the scan and the parser see different elements, the meaning is unknown. */
function disagreement({ text }: Building, at: number): FaultFound {
  return new FaultFound({
    code: "xml-disagreement",
    at,
    element: null,
    what: `the two passes over the file disagree about ${JSON.stringify(text.slice(at, at + 30))}`,
    expected: "one meaning; report this file as a defect of guideferry",
  });
}

/** Declarations from the inside out: at most one link for each open element. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | null;
}

/** Namespaces in XML, 3: `xml` needs no declaration. */
const NO_NAMESPACES: Scope = {
  declared: new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]),
  outer: null,
};

function declareNamespaces(attributes: readonly (readonly [string, string])[], outer: Scope): Scope {
  const declared = attributes.flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (name === "xmlns") return [["", value]];
    return name.startsWith("xmlns:") ? [[name.slice("xmlns:".length), value]] : [];
  });
  return { declared: new Map(declared), outer };
}

/** undefined: not declared. null: removed by an empty declaration. */
function namespaceOf(scope: Scope, prefix: string): string | null | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = at.declared.get(prefix);
    if (found !== undefined) return found === "" ? null : found;
  }
  return undefined;
}

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]+)|#([0-9]+));/g;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (_whole, name?: string, hexadecimal?: string, decimal?: string) => {
    if (name !== undefined) return NAMED[name] ?? "";
    return String.fromCodePoint(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}

/** Written white space becomes spaces, white space by its number stays (XML 1.0, 3.3.3). */
function decodeValue(value: string): string {
  return decodeReferences(/[\n\t]/.test(value) ? value.replace(/[\n\t]/g, " ") : value);
}

/** Keeps order and text as written; guesses and expands nothing. */
const SETTING = {
  preserveOrder: true,
  ignoreAttributes: true,
  cdataPropName: "#cdata",
  trimValues: false,
  parseTagValue: false,
  processEntities: false,
  htmlEntities: false,
  jPath: false,
  maxNestedTags: Number.MAX_SAFE_INTEGER,
  // fast-xml-parser renames or refuses names that mean something to JavaScript; no name begins with
  // a slash. An empty element's name comes here twice.
  transformTagName: (name: string) => (name.startsWith("/") ? name : `/${name}`),
} as const;

/**
 * Objects with one field that is the content, named `#text`, `#cdata` or `/` and the element's
 * name. The scan has the attributes.
 */
function parseTree(text: string): readonly ParsedNode[] {
  return PARSER.parse(text) as readonly ParsedNode[];
}

/** Keeps no state between texts. */
const PARSER = new XMLParser(SETTING);

type ParsedNode = Readonly<Record<string, ParsedContent>>;
type ParsedContent = string | readonly ParsedNode[];
/** Replaces tokens by the held texts. */
function restoreHeldTexts(text: string, held: readonly string[]): string {
  const first = text.indexOf(TOKEN);
  if (first < 0) return text;
  if (first === 0 && text.indexOf(TOKEN, 1) === text.length - 1) return held[Number(text.slice(1, -1))] ?? "";
  return text
    .split(TOKEN)
    .map((part, index) => (index % 2 === 0 ? part : (held[Number(part)] ?? "")))
    .join("");
}
