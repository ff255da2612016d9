import type { Element } from "hast";
import type { SiteAddresses } from "../../references/site-addresses.js";
import type { TextContext, TextIssue } from "../../wiki/tree.js";
import type { Item } from "./item.js";

/** What is known about HTML beside itself. */
export interface FromHtmlOptions {
  readonly context: TextContext;
  /** The site that the HTML is of: links to it become links by id or title. Default: only links relative to it do. */
  readonly site?: SiteAddresses;
  /** The id of an image, video or document by its address, where it is known: HTML has only addresses. Default: of none. */
  readonly mediaId?: (kind: "image" | "video" | "document", address: string) => string | undefined;
}

/** What a handler of an element gets beside the element. */
export interface Reading {
  readonly options: FromHtmlOptions;
  /** Whether a link is around the element. */
  readonly inLink: boolean;
  /** Where the element stood that an item was made of. */
  readonly places: Map<Item, Place>;
  readonly placeOf: (element: Element) => Place;
  readonly report: (code: string, level: TextIssue["level"], message: string, element: Element) => void;
}

/** `content` is what the element's children have become. */
export type Handler = (element: Element, content: readonly Item[], reading: Reading) => readonly Item[];

/** A property that is written as one text; empty when it is not there. */
export function property(element: Element, name: string): string {
  const value = element.properties[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The class names of an element. */
export function classesOf(element: Element): readonly string[] {
  const { className } = element.properties;
  return Array.isArray(className) ? className.map(String) : [];
}

/** Where something stood in the HTML. */
export interface Place {
  readonly start: number;
  readonly end: number;
}
