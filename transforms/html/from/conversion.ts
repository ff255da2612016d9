import type { Element } from "hast";
import type { TextIssue } from "../../../src/core/model/text-codes.js";
import type { SiteAddresses } from "../../references/site-addresses.js";
import type { Block, Inline, ListItem, MarkType, TextContext } from "../../wiki/tree.js";

export interface FromHtmlOptions {
  readonly context: TextContext;
  /** The site, whose links become links by id or title. Default: only relative ones do. */
  readonly site?: SiteAddresses;
  /** Finds ids by address, since HTML has only addresses. Default: finds none. */
  readonly mediaId?: (kind: "image" | "video" | "document", address: string) => string | undefined;
}

export interface Conversion {
  readonly options: FromHtmlOptions;
  /** Whether the element is in a link. */
  readonly inLink: boolean;
  /** The place of the element that an item was made of. */
  readonly places: Map<Item, Place>;
  readonly placeOf: (element: Element) => Place;
  readonly report: (code: TextIssue["code"], level: TextIssue["level"], message: string, element: Element) => void;
}

/** `content`: the converted children. */
export type Handler = (element: Element, content: readonly Item[], conversion: Conversion) => readonly Item[];

/** A property with a single value; "" when it is absent. */
export function property(element: Element, name: string): string {
  const value = element.properties[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function classesOf(element: Element): readonly string[] {
  const { className } = element.properties;
  return Array.isArray(className) ? className.map(String) : [];
}

/** Offsets in the HTML. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Words, blocks, or a part for an outer element. */
export type Item = Inline | Block | ListItem | Cell | Row | Attribution;

export interface Cell {
  readonly type: "cell";
  readonly header: boolean;
  readonly children: readonly Inline[];
}

export interface Row {
  readonly type: "row";
  readonly cells: readonly Cell[];
}

export interface Attribution {
  readonly type: "attribution";
  readonly children: readonly Inline[];
}

const MARKS: readonly MarkType[] = ["strong", "emphasis", "underline", "strike", "superscript", "subscript", "code"];

const INLINES: ReadonlySet<string> = new Set<Inline["type"]>([
  ...MARKS,
  "text",
  "break",
  "link",
  "image",
  "video",
  "guideList",
  "opaque",
]);

export function isInline(item: Item): item is Inline {
  return INLINES.has(item.type);
}
