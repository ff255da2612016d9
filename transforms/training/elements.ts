import { elementsIn, type XmlAttribute, type XmlElement } from "../xml/xml-document.js";
import type { Bases } from "./addresses.js";

/** Children of the element's own namespace, by name. */
export function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return elementsIn(element).filter((child) => child.name === name && child.namespace === element.namespace);
}

/** Trimmed as XML Schema does with identifiers; empty counts as absent. No namespace. */
export function plainAttribute(element: XmlElement, name: string): string | null {
  const found = element.attributes.find((attribute) => attribute.name === name && attribute.prefix === "");
  const value = found?.value.trim() ?? "";
  return value === "" ? null : value;
}

export function baseAttribute(element: XmlElement): XmlAttribute | undefined {
  return element.attributes.find(({ name, namespace }) => name === "base" && namespace === XML_NAMESPACE);
}

/** XML Base. */
export function extendBases(bases: Bases, element: XmlElement): Bases {
  const base = baseAttribute(element);
  return base === undefined ? bases : [...bases, base.value];
}

/** null: absent, or no number. */
export function numberOf(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? "";
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Outer elements first; `inMetadata`: below `<metadata>`. */
export function forEachElement(
  element: XmlElement,
  visit: (element: XmlElement, inMetadata: boolean) => void,
  inMetadata = false,
): void {
  visit(element, inMetadata);
  const within = inMetadata || element.name === "metadata";
  for (const child of elementsIn(element)) forEachElement(child, visit, within);
}

/** The namespace determines the family of SCORM (training modules, 2.2). */
export type Family = "1.2" | "2004";

/** Common Cartridge, later content packaging, QTI, and SCORM 1.1: recognised and refused. */
const OTHER =
  /\/imscc|\/imsccv|imscp_v1p2|imscp_rootv1p1(?:\.xsd)?$|imsproject\.org\/content|imsqti|imsbasiclti|imslti|imslticc/i;

export function isOtherStandard(namespace: string): boolean {
  return OTHER.test(namespace);
}

const ADL = /\/adl(?:cp|seq|nav|ssp|cmi)[a-z]*_/i;

export function isAdl(namespace: string | null): boolean {
  return namespace !== null && ADL.test(namespace);
}

export function isSequencing(namespace: string | null): boolean {
  return namespace !== null && /\/imsss(?:_v1p0)?$/i.test(namespace);
}

export function isSchemaInstance(namespace: string | null): boolean {
  return namespace === "http://www.w3.org/2001/XMLSchema-instance";
}

const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
