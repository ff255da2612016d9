import { createHash } from "node:crypto";
import { type Key, kindOf, NAMESPACES, restOf, wikiOf } from "../../core/model/key.js";
import type { MediaType } from "./media-type.js";

/**
 * Slugs are made of a-z, 0-9 and dashes alone and are short: any file system and web server takes
 * them.
 */
const SLUG_LENGTH = 40;
/**
 * Hexadecimal digits of a sha256 behind a slug, and of one that stands alone, as of a Chinese
 * title.
 */
const HASH_LENGTH = 8;
const ALONE_LENGTH = 16;
const GUIDE = /^(\d{1,15})(?:@([a-z]{2,3}(?:-[a-z0-9]{1,8})*))?$/;

/** `guide/123.html`, of a translation `guide/123-de.html`. */
function guidePath(key: Key): string {
  const [, id, language] = GUIDE.exec(restOf(key)) ?? [];
  if (id === undefined) return `guide/${slugWithHash(restOf(key), key)}.html`;
  return `guide/${id}${language === undefined ? "" : `-${language}`}.html`;
}

/** The guide whose page an address is, also one that is not there; undefined: it is no guide's. */
export function guideAt(path: string): Key | undefined {
  const [, id, language] = /^guide\/(\d{1,15})(?:-([a-z]{2,3}(?:-[a-z0-9]{1,8})*))?\.html$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return language === undefined ? `guide/${id}` : `guide/${id}@${language}`;
}

/** `category/hand-looms-1f2e3d4c.html`, `wiki/item/shuttle-0a1b2c3d.html`. */
function wikiPath(key: Key): string {
  const { namespace, title } = wikiOf(key);
  const folder = NAMESPACES.includes(namespace) ? namespace.toLowerCase() : "other";
  const file = `${slugWithHash(title, key)}.html`;
  return kindOf(key) === "category" ? `category/${file}` : `wiki/${folder}/${file}`;
}

/**
 * The address of an item's page inside of a time; empty: items of its kind have none (images,
 * videos, documents, records).
 */
export function pagePathOf(key: Key): string {
  const kind = kindOf(key);
  if (kind === "guide") return guidePath(key);
  return kind === "category" || kind === "wiki" ? wikiPath(key) : "";
}

/** `tag/wool-5e884898.html` */
export function tagPath(tag: string): string {
  return `tag/${slugWithHash(tag, tag)}.html`;
}

/** `media/<sha256>.jpg` */
export function mediaPath(sha256: string, { extension }: Pick<MediaType, "extension">): string {
  return `media/${sha256}.${extension}`;
}

/**
 * The way from one address inside of a time to another: `../guide/1.html`. What follows the way
 * (`#s12`) is kept.
 */
export function relativePath(from: string, to: string): string {
  const [own, goal] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < own.length && shared < goal.length - 1 && own[shared] === goal[shared]) shared += 1;
  return "../".repeat(own.length - shared) + goal.slice(shared).join("/");
}

function slugWithHash(text: string, hashed: string): string {
  const hash = createHash("sha256").update(hashed).digest("hex");
  const slug = slugOf(text);
  return slug === "" ? hash.slice(0, ALONE_LENGTH) : `${slug}-${hash.slice(0, HASH_LENGTH)}`;
}

function slugOf(text: string): string {
  // A title may be megabytes long, and only its beginning is looked at.
  const plain = text
    .slice(0, 4 * SLUG_LENGTH)
    .normalize("NFKD")
    .toLowerCase();
  const words = plain
    .replace(/\p{M}+/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let slug = words[0]?.slice(0, SLUG_LENGTH) ?? "";
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > SLUG_LENGTH) break;
    slug = `${slug}-${word}`;
  }
  return slug;
}

/** The id of a file's row on that page: `document-9`. */
export function fileAnchor(key: Key): string {
  return key.replace(/[^A-Za-z0-9]+/g, "-");
}
