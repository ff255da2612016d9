import type { MediaUse } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { idOf } from "../addresses.js";
import type { Tell } from "./print-element.js";

/**
 * What a document says of other things than its own item. Without a bundle nothing else is known:
 * `NO_CONTEXT`.
 */
export interface WriteContext {
  /**
   * The file of a medium, relative to the document's folder: `media/loom.jpg`; undefined: its
   * address is written.
   */
  fileOf(key: Key): string | undefined;
  /** Another guide; undefined where it is not in the bundle. */
  guide(key: Key): GuideCard | undefined;
  /** Where a category stands among the others; undefined where nothing is known. */
  place(title: string): CategoryPlace | undefined;
  /**
   * Scheme and host of the site, put before addresses that are relative to it. Default: they stay
   * relative.
   */
  readonly origin?: string | undefined;
}

/** What other documents show of a guide. */
export interface GuideCard {
  readonly key: Key;
  readonly language: string;
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  /** The page that people see. */
  readonly url: string;
  /** Its document, relative to the folder of the one that shows it. */
  readonly path: string;
  /** Its main image, relative in the same way, or an address; empty where it has none. */
  readonly image: string;
}

export interface CategoryPlace {
  /** Titles, nearest first, without a root. */
  readonly ancestors: readonly string[];
  /** Titles, in the site's order. */
  readonly children: readonly string[];
  readonly guides: readonly GuideCard[];
}

export const NO_CONTEXT: WriteContext = {
  fileOf: () => undefined,
  guide: () => undefined,
  place: () => undefined,
};

/** The writing of one item. */
export interface Writing {
  readonly context: WriteContext;
  /** The addresses of media that the item needs. */
  readonly uses: ReadonlyMap<Key, MediaUse>;
  readonly tell: Tell;
}

/** The path or address of a medium; undefined where it has neither, which is told of. */
export function mediumOf(key: Key, path: string, { context, uses, tell }: Writing): string | undefined {
  const found = context.fileOf(key) ?? uses.get(key)?.url ?? undefined;
  if (found === undefined) {
    const message = `The file of ${key} is not here and has no address; it is left out.`;
    tell({ code: "media-missing", level: "loss", path, message });
  }
  return found;
}

/** What servers escape twice looks like this, so that readers decode it once more (omanual 8). */
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;

/** Tells of words that readers of manuals won't give back as they are. */
export function tellOfReferences(value: string, path: string, { tell }: Writing): void {
  const found = REFERENCE.exec(value)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found}" as words; readers that undo the double escaping of servers will take it for a character.`;
  tell({ code: "reference-like", level: "loss", path, message });
}

/** A text that becomes the value of an attribute. */
export function attributeText(value: string, path: string, writing: Writing): string {
  tellOfReferences(value, path, writing);
  return value;
}

/**
 * The id of a site, or null for one that was made up for what had none: it would be another one the
 * next time.
 */
export function siteId(id: number): string | null {
  return idOf(String(id)) === null ? null : String(id);
}

/**
 * Tells of words that are all of a text and look like tags: older versions have HTML as text, which
 * readers take it for.
 */
export function tellOfTags(words: string, html: string, path: string, { tell }: Writing): void {
  const found = html.includes("<") ? undefined : /<\/?[a-z][^<>]*>/i.exec(words)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found.slice(0, 40)}" as words; readers of older versions will take it for a tag.`;
  tell({ code: "tag-like", level: "loss", path, message });
}
