import type { MediaUse } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { idOf } from "../addresses.js";
import type { ReportFinding } from "./print-element.js";

/** What a document shows of other items. Without a bundle nothing is known: `NO_CONTEXT`. */
export interface WriteContext {
  /** `media/loom.jpg`, relative to the document's folder; undefined: its address is written. */
  fileOf(key: Key): string | undefined;
  /** undefined: not in the bundle. */
  guide(key: Key): GuideCard | undefined;
  /** undefined: unknown. */
  place(title: string): CategoryPlace | undefined;
  /** Scheme and host of the site, for relative addresses. Default: they stay relative. */
  readonly origin?: string | undefined;
}

/** What other documents show of a guide. */
export interface GuideCard {
  readonly key: Key;
  readonly language: string;
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  /** The page for people. */
  readonly url: string;
  /** The document, relative to the folder of the referring one. */
  readonly path: string;
  /** The main image, relative likewise, or an address; empty: none. */
  readonly image: string;
}

export interface CategoryPlace {
  /** Titles, nearest first, without a root. */
  readonly ancestors: readonly string[];
  /** Titles in the site's order. */
  readonly children: readonly string[];
  readonly guides: readonly GuideCard[];
}

export const NO_CONTEXT: WriteContext = {
  fileOf: () => undefined,
  guide: () => undefined,
  place: () => undefined,
};

/** State of writing one item. */
export interface Writing {
  readonly context: WriteContext;
  /** Addresses of the item's media. */
  readonly uses: ReadonlyMap<Key, MediaUse>;
  readonly report: ReportFinding;
}

/** Path or address of a medium; undefined: neither, which is reported. */
export function mediumOf(key: Key, path: string, { context, uses, report }: Writing): string | undefined {
  const found = context.fileOf(key) ?? uses.get(key)?.url ?? undefined;
  if (found === undefined) {
    const message = `The file of ${key} is not here and has no address; it is left out.`;
    report({ code: "media-missing", level: "loss", path, message });
  }
  return found;
}

/** Readers take it for doubly escaped text and decode it (omanual 8). */
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;

/** Reports text that readers change. */
export function reportReferences(value: string, path: string, { report }: Writing): void {
  const found = REFERENCE.exec(value)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found}" as words; readers that undo the double escaping of servers will take it for a character.`;
  report({ code: "reference-like", level: "loss", path, message });
}

/** Text of an attribute. */
export function attributeText(value: string, path: string, writing: Writing): string {
  reportReferences(value, path, writing);
  return value;
}

/** null: a derived id, which would differ the next time. */
export function siteId(id: number): string | null {
  return idOf(String(id)) === null ? null : String(id);
}

/** Reports text that looks like tags only: readers take it for the HTML text of older versions. */
export function reportTags(words: string, html: string, path: string, { report }: Writing): void {
  const found = html.includes("<") ? undefined : /<\/?[a-z][^<>]*>/i.exec(words)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found.slice(0, 40)}" as words; readers of older versions will take it for a tag.`;
  report({ code: "tag-like", level: "loss", path, message });
}
