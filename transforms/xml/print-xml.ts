import type { XmlElement, XmlNode } from "./xml-document.js";

/** A node as XML again, for a look at what stood in a file: with its prefixes, without their declarations. */
export function printXml(node: XmlNode): string {
  return typeof node === "string" ? escapeXml(node) : printElement(node);
}

function printElement(element: XmlElement): string {
  const name = written(element);
  const attributes = element.attributes.map((attribute) => ` ${written(attribute)}="${escapeXml(attribute.value)}"`);
  return `<${name}${attributes.join("")}>${element.children.map(printXml).join("")}</${name}>`;
}

function written({ prefix, name }: { readonly prefix: string; readonly name: string }): string {
  return prefix === "" ? name : `${prefix}:${name}`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Readers make a line feed of it as it stands (XML 1.0, 2.11).
  "\r": "&#13;",
};

/** Text as it may stand in content and in a quoted value. */
export function escapeXml(text: string): string {
  return /[&<>"\r]/.test(text) ? text.replace(/[&<>"\r]/g, (character) => ESCAPED[character] ?? character) : text;
}
