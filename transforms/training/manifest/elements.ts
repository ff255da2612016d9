import { elementsIn } from "../../xml/walk.js";
import type { XmlAttribute, XmlElement } from "../../xml/xml-document.js";
import type { Bases } from "../launch/address.js";
import { isAdl, XML_NAMESPACE } from "./namespaces.js";

/** Children of the same namespace as the element, by name; those of metadata and extensions are never among them. */
export function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return elementsIn(element).filter((child) => child.name === name && child.namespace === element.namespace);
}

/** An attribute without a namespace, white space around it taken off as XML Schema does with identifiers; empty counts as absent. */
export function plainAttribute(element: XmlElement, name: string): string | null {
  const found = element.attributes.find((attribute) => attribute.name === name && attribute.prefix === "");
  const value = found?.value.trim() ?? "";
  return value === "" ? null : value;
}

/** An attribute of ADL's in any letter case; one with a prefix that is declared nowhere counts, since nothing else is meant. */
export function adlAttribute(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find(
    (attribute) =>
      attribute.name.toLowerCase() === name.toLowerCase() &&
      (isAdl(attribute.namespace) || (attribute.namespace === null && attribute.prefix !== "")),
  );
}

/** Elements of ADL's in any letter case, directly below. */
export function adlChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return elementsIn(element).filter(
    (child) => child.name.toLowerCase() === name.toLowerCase() && isAdl(child.namespace),
  );
}

export function baseAttribute(element: XmlElement): XmlAttribute | undefined {
  return element.attributes.find(({ name, namespace }) => name === "base" && namespace === XML_NAMESPACE);
}

/** The bases inside of an element (XML Base). */
export function extendBases(bases: Bases, element: XmlElement): Bases {
  const base = baseAttribute(element);
  return base === undefined ? bases : [...bases, base.value];
}

/** A text as a number; null: absent, or none. */
export function numberOf(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? "";
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Calls back for every element, outer ones first; `inMetadata`: below an element named so. */
export function forEachElement(
  element: XmlElement,
  visit: (element: XmlElement, inMetadata: boolean) => void,
  inMetadata = false,
): void {
  visit(element, inMetadata);
  const within = inMetadata || element.name === "metadata";
  for (const child of elementsIn(element)) forEachElement(child, visit, within);
}
