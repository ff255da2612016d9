import type { XmlFault, XmlNote } from "./xml-fault.js";

/**
 * A well-formed document as a small tree. Order, white space and text are kept; comments and
 * instructions are not.
 */
export interface XmlDocument {
  readonly root: XmlElement;
  /** All of it as decoded, every line end a line feed. */
  readonly text: string;
  /** What is wrong about it without being in the way. */
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
  /**
   * Elements, and the text between them with references decoded; CDATA is text. No two texts are
   * neighbours.
   */
  readonly children: readonly XmlNode[];
  /** The place of its `<`, both from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

export type XmlNode = XmlElement | string;

export interface XmlAttribute {
  readonly name: string;
  readonly prefix: string;
  readonly namespace: string | null;
  /** Decoded; line ends and tabs are spaces, as XML wants it (XML 1.0, 3.3.3). */
  readonly value: string;
}

export type XmlResult =
  | { readonly ok: true; readonly document: XmlDocument }
  | { readonly ok: false; readonly fault: XmlFault };

/** The elements among an element's children. */
export function elementsIn(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

/** All text inside, at any depth, without tags. */
export function textIn(element: XmlElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");
}

/**
 * A node as XML again, for a look at what stood in a file: with its prefixes, without their
 * declarations.
 */
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

/** Escapes text for content and quoted values. */
export function escapeXml(text: string): string {
  return /[&<>"\r]/.test(text) ? text.replace(/[&<>"\r]/g, (character) => ESCAPED[character] ?? character) : text;
}
