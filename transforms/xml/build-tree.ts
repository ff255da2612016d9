import { buildAttributes } from "./build-attributes.js";
import { type Building, disagreement, type Found, placeNext, resolve, splitName, startBuilding } from "./building.js";
import { decodeReferences } from "./decode-references.js";
import { NO_NAMESPACES, type Scope } from "./namespaces.js";
import type { ParsedContent, ParsedNode } from "./parse-tree.js";
import { giveBack } from "./scanning.js";
import type { XmlElement, XmlNode } from "./xml-document.js";
import type { XmlNote } from "./xml-fault.js";

/**
 * Our own tree of fast-xml-parser's: references decoded, namespaces resolved, and each element with the place that the
 * scan found for it. The two must agree on every element's name, else the document is refused (FaultFound).
 */
export function buildTree(
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
      if (key === "#text") words += decodeReferences(giveBack(content as string, building.held));
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
  return typeof text === "string" ? text : "";
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
