import type { XmlFault, XmlNote } from "./xml-fault.js";

/** Keeps order, white space and text of a well-formed document; drops comments and instructions. */
export interface XmlDocument {
  readonly root: XmlElement;
  /** All of it as decoded, every line end a line feed. */
  readonly text: string;
  /** Irregularities that do not prevent reading. */
  readonly notes: readonly XmlNote[];
}

export interface XmlElement {
  /** The local name: `scormType` of `adlcp:scormType`. */
  readonly name: string;
  /** Empty: none. */
  readonly prefix: string;
  /** null: none applies, or the prefix is not declared. */
  readonly namespace: string | null;
  /** In their order, without declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[];
  /** Elements, and text with decoded references; CDATA is text. No two texts are neighbours. */
  readonly children: readonly XmlNode[];
  /** Of its `<`, from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

export type XmlNode = XmlElement | string;

export interface XmlAttribute {
  readonly name: string;
  readonly prefix: string;
  readonly namespace: string | null;
  /** Decoded; line ends and tabs are spaces, as XML requires (XML 1.0, 3.3.3). */
  readonly value: string;
}

export type XmlResult =
  | { readonly ok: true; readonly document: XmlDocument }
  | { readonly ok: false; readonly fault: XmlFault };

export function elementsIn(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

export function textIn(element: XmlElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");
}

/** XML of a node for display, with prefixes but without their declarations. */
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
  // Readers would convert it to a line feed (XML 1.0, 2.11).
  "\r": "&#13;",
};

export function escapeXml(text: string): string {
  return /[&<>"\r]/.test(text) ? text.replace(/[&<>"\r]/g, (character) => ESCAPED[character] ?? character) : text;
}
