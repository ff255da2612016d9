import type { XmlFault, XmlNote } from "./xml-fault.js";

/** A well-formed document as a small tree. Order, white space and text are kept; comments and instructions are not. */
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
  /** Empty where there is none. */
  readonly prefix: string;
  /** The namespace's name; null where none applies or the prefix is not declared. */
  readonly namespace: string | null;
  /** In their order, without declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[];
  /** Elements, and the text between them with references decoded; CDATA is text. No two texts are neighbours. */
  readonly children: readonly XmlNode[];
  /** Where its `<` stands, both from 1; columns count UTF-16 units. */
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
