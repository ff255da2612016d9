import type { XmlElement } from "./xml-document.js";

/** The elements among an element's children. */
export function elementsIn(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

/** All text inside, at any depth, without tags. */
export function textIn(element: XmlElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");
}
