import type { Item } from "../../src/core/model/item.js";

/** A document of any version. Texts are as written, with entities decoded; null: absent. */
export type Manual = ManualGuide | ManualCategory | ManualManifest;

export type ManualVersion = "0.2" | "0.3" | "0.4" | "1.0";

/** A root `guide` (1.0) or `procedure` (0.2 to 0.4). */
export interface ManualGuide {
  readonly kind: "guide";
  readonly version: ManualVersion;
  /** `id` on the root (the DITA plugin), or `guideid` (server dumps). */
  readonly id: string | null;
  readonly locale: string | null;
  readonly title: string;
  readonly subject: string | null;
  readonly type: string | null;
  readonly summary: string | null;
  readonly image: ManualImage | null;
  readonly author: { readonly id: string | null; readonly name: string } | null;
  /** Free text: "One Hour". */
  readonly timeRequired: string | null;
  readonly difficulty: string | null;
  /** Names; 1.0 allows one. */
  readonly categories: readonly string[];
  readonly introduction: ManualText | null;
  /** 0.3 and 0.4: the medium in the introduction. */
  readonly introductionMedia: ManualMedia | null;
  readonly conclusion: ManualText | null;
  readonly tools: readonly ManualPart[];
  readonly parts: readonly ManualPart[];
  readonly flags: readonly ManualFlag[];
  readonly documents: readonly ManualDocument[];
  readonly prerequisites: readonly ManualReference[];
  readonly steps: readonly ManualStep[];
  /** ISO 8601, as written. */
  readonly createdDate: string | null;
  readonly modifiedDate: string | null;
  readonly extra: readonly ManualExtra[];
  readonly at?: ManualPlace;
}

/** A root `category` (1.0), `topic` (0.3, 0.4) or `device` (0.2). */
export interface ManualCategory {
  readonly kind: "category";
  readonly version: ManualVersion;
  readonly id: string | null;
  readonly locale: string | null;
  /** The title of the page; may differ from the name. */
  readonly title: string | null;
  /** The canonical name: the text of `category_info`, `topic_info`, `device_info`. */
  readonly name: string | null;
  readonly manufacturer: string | null;
  readonly introduced: string | null;
  readonly discontinued: string | null;
  readonly image: ManualImage | null;
  readonly description: ManualText | null;
  readonly flags: readonly ManualFlag[];
  /** As written: nearest first in real files, reversed in the documentation; `Root` may end it. */
  readonly ancestors: readonly string[];
  readonly children: readonly string[];
  readonly solutions: { readonly count: string | null; readonly url: string | null } | null;
  readonly parts: readonly ManualPart[];
  readonly tools: readonly ManualPart[];
  readonly contents: ManualText | null;
  readonly guides: readonly ManualReference[];
  readonly documents: readonly ManualDocument[];
  readonly extra: readonly ManualExtra[];
  readonly at?: ManualPlace;
}

/** A root `manifest` (0.2 to 0.4, optional metadata in 1.0). */
export interface ManualManifest {
  readonly kind: "manifest";
  readonly version: ManualVersion;
  readonly locale: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly categories: readonly string[];
  readonly guides: readonly ManualReference[];
  readonly documents: readonly ManualDocument[];
  readonly extra: readonly ManualExtra[];
  readonly at?: ManualPlace;
}

/** From 1, columns in UTF-16 units. Absent for documents that were not read from a file. */
export interface ManualPlace {
  readonly line: number;
  readonly column: number;
}

export interface ManualText {
  /** HTML source, `<p>A &amp; B</p>`; text that was escaped twice is escaped once here. */
  readonly html: string;
  /** Wiki syntax of `…_raw`. XML turns unescaped line ends of attributes into spaces. */
  readonly raw: string | null;
  readonly at?: ManualPlace;
}

export const IMAGE_SIZES = ["large", "medium", "standard", "thumbnail", "mini"] as const;
export type ManualImageSize = (typeof IMAGE_SIZES)[number];

/** Paths and URLs as written; one image may mix both. */
export interface ManualImage {
  /** The original: the element's text. Empty where only sizes are given. */
  readonly path: string;
  readonly sizes: Readonly<Partial<Record<ManualImageSize, string>>>;
  /** `orderby`, from 1. */
  readonly order: number | null;
  readonly id: string | null;
  readonly guid: string | null;
  readonly at?: ManualPlace;
}

export interface ManualPart {
  readonly name: string;
  /** Free text: "2", "a few". */
  readonly quantity: string | null;
  readonly sku: string | null;
  readonly thumbnail: string | null;
  readonly notes: string | null;
  readonly type: string | null;
  readonly url: string | null;
  readonly externalSources: readonly ManualExternalSource[];
  readonly at?: ManualPlace;
}

interface ManualExternalSource {
  readonly id: string | null;
  readonly url: string | null;
  readonly notes: string | null;
}

export interface ManualFlag {
  readonly id: string | null;
  readonly title: string | null;
  readonly image: string | null;
  readonly text: string;
}

export interface ManualDocument {
  readonly id: string | null;
  /** The element's text: a path in real files, a file name in the documentation. */
  readonly text: string;
  readonly url: string | null;
  readonly downloadUrl: string | null;
  /** A MIME type, or "device" for the topic file of a 0.4 manifest. */
  readonly type: string | null;
  readonly date: string | null;
  readonly at?: ManualPlace;
}

export interface ManualReference {
  readonly id: string | null;
  readonly locale: string | null;
  readonly subject: string | null;
  readonly type: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly path: string | null;
  readonly image: ManualImage | null;
  readonly at?: ManualPlace;
}

export interface ManualStep {
  /** `stepid` and `guideid` of server dumps. A step of another guide belongs to a prerequisite. */
  readonly id: string | null;
  readonly guideId: string | null;
  /** As written: the format counts from 1, real files from 0. */
  readonly number: number | null;
  readonly title: string;
  readonly lines: readonly ManualLine[];
  readonly media: ManualMedia | null;
  readonly at?: ManualPlace;
}

export interface ManualLine {
  readonly bullet: string | null;
  readonly level: number | null;
  readonly text: ManualText;
}

export type ManualMedia =
  | { readonly type: "image"; readonly images: readonly ManualImage[] }
  | { readonly type: "video"; readonly video: ManualVideo }
  | { readonly type: "embed"; readonly embed: ManualEmbed };

export interface ManualVideo {
  readonly id: string | null;
  readonly encodings: readonly ManualEncoding[];
  /** Attributes of `source` by name: `duration_in_ms`, `frame_rate` … */
  readonly source: Readonly<Record<string, string>>;
  readonly poster: ManualImage | null;
  readonly at?: ManualPlace;
}

export interface ManualEncoding {
  /** The attribute or child `url`, else the element's text. */
  readonly path: string;
  /** Other attributes and plain children by name: `width`, `codecs`, `mime`, `label` … */
  readonly facts: Readonly<Record<string, string>>;
}

export interface ManualEmbed {
  /** Attributes or children (server dumps), named as in oEmbed: `type`, `html`, `url`, `title` … */
  readonly facts: Readonly<Record<string, string>>;
  readonly text: string;
  readonly at?: ManualPlace;
}

/** Content without a place above; each is an Issue too. */
export interface ManualExtra {
  /** As issues name it: `steps[2]@colour`, `vendor`. */
  readonly path: string;
  /** The element as XML, or the attribute's value. */
  readonly xml: string;
  readonly at?: ManualPlace;
}

const FRAMED = /\s(?:src|data)\s*=\s*["']([^"']{1,2000})["']/i;

/** `url`, else the address in its HTML (oEmbed, or the text up to 0.3), else the text. */
export function embedAddress({ facts, text }: ManualEmbed): string {
  const html = [facts["html"] ?? "", text].find((each) => each.includes("<")) ?? "";
  const words = text.includes("<") ? "" : text;
  const found = [facts["url"], FRAMED.exec(html)?.[1], words].map((address) => address?.trim() ?? "");
  return found.find((address) => address !== "") ?? "";
}

/** The document that the reader keeps in `raw`; undefined for items of other origin. */
export function documentOf({ raw }: Pick<Item, "raw">): { readonly path: string; readonly xml: string } | undefined {
  if (typeof raw !== "object" || raw === null || !("path" in raw) || !("xml" in raw)) return undefined;
  const { path, xml } = raw;
  return typeof path === "string" && typeof xml === "string" ? { path, xml } : undefined;
}
