import { buildAttributes, isDeclaration, type Pairs } from "./build-attributes.js";
import { type Building, disagreement, placeNext, resolve, splitName, startBuilding } from "./building.js";
import { decodeReferences, decodeValue } from "./decode-references.js";
import { declareNamespaces, NO_NAMESPACES, type Scope } from "./namespaces.js";
import type { ParsedContent, ParsedNode } from "./parse-tree.js";
import { giveBack, type Scanned } from "./scanning.js";
import type { XmlElement, XmlNode } from "./xml-document.js";
import type { XmlNote } from "./xml-fault.js";

/**
 * Our own tree of fast-xml-parser's: references decoded, namespaces resolved, and each element with the place that the
 * scan found for it. The two must agree on every element's name, else the document is refused (FaultFound).
 */
export function buildTree(
  parsed: readonly ParsedNode[],
  text: string,
  scanned: Pick<Scanned, "starts" | "held">,
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
    const [key, content] = contentOf(node);
    if (key === "#text") words += decodeReferences(giveBack(content as string, building.held));
    else if (key === "#cdata") words += cdataIn(content);
    else {
      if (words !== "") children.push(words);
      words = "";
      children.push(buildElement(node, key.slice(1), content, scope, building));
    }
  }
  if (words !== "") children.push(words);
  return children;
}

const NONE: readonly never[] = [];

/** The first field that is not the attributes' one. */
function contentOf(node: ParsedNode): readonly [string, ParsedContent] {
  for (const key in node) {
    const content = node[key];
    if (key !== ":@" && content !== undefined) return [key, content];
  }
  return ["#text", ""];
}

function cdataIn(content: ParsedContent): string {
  const [inner] = content as readonly ParsedNode[];
  const text = inner?.["#text"];
  return typeof text === "string" ? text : "";
}

function buildElement(
  node: ParsedNode,
  written: string,
  content: ParsedContent,
  outer: Scope,
  building: Building,
): XmlElement {
  const { line, column } = placeNext(building, written);
  const pairs = pairsOf(node);
  const scope = pairs.some(([name]) => isDeclaration(name)) ? declareNamespaces(pairs, outer) : outer;
  const [prefix, name] = splitName(written);
  const place = { line, column };
  return {
    name,
    prefix,
    namespace: resolve(prefix, scope, building, place),
    attributes: pairs.length === 0 ? NONE : buildAttributes(pairs, scope, building, place),
    children: buildChildren(content as readonly ParsedNode[], scope, building),
    line,
    column,
  };
}

function pairsOf(node: ParsedNode): Pairs {
  const attributes = node[":@"] as Readonly<Record<string, string>> | undefined;
  if (attributes === undefined) return NONE;
  const pairs: (readonly [string, string])[] = [];
  for (const key in attributes) pairs.push([key.slice(1), decodeValue(attributes[key] ?? "")]);
  return pairs;
}
