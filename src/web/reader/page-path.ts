import { createHash } from "node:crypto";
import { type Key, kindOf, NAMESPACES, restOf, wikiOf } from "../../core/model/key.js";
import type { MediaType } from "./media-type.js";

/** Slugs hold a-z, 0-9 and dashes only, which every file system and web server takes. */
const SLUG_LENGTH = 40;
/** Hexadecimal digits of a sha256 behind a slug, or alone, as for a Chinese title. */
const HASH_LENGTH = 8;
const ALONE_LENGTH = 16;
const GUIDE = /^(\d{1,15})(?:@([a-z]{2,3}(?:-[a-z0-9]{1,8})*))?$/;

/** `guide/123.html`, `guide/123-de.html` */
function guidePath(key: Key): string {
  const [, id, language] = GUIDE.exec(restOf(key)) ?? [];
  if (id === undefined) return `guide/${slugWithHash(restOf(key), key)}.html`;
  return `guide/${id}${language === undefined ? "" : `-${language}`}.html`;
}

/**
 * The guide of a page's address, whether it exists or not; undefined: the address is no guide's.
 */
export function guideAt(path: string): Key | undefined {
  const [, id, language] = /^guide\/(\d{1,15})(?:-([a-z]{2,3}(?:-[a-z0-9]{1,8})*))?\.html$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return language === undefined ? `guide/${id}` : `guide/${id}@${language}`;
}

/** `category/hand-looms-1f2e3d4c.html`, `wiki/item/shuttle-0a1b2c3d.html` */
function wikiPath(key: Key): string {
  const { namespace, title } = wikiOf(key);
  const folder = NAMESPACES.includes(namespace) ? namespace.toLowerCase() : "other";
  const file = `${slugWithHash(title, key)}.html`;
  return kindOf(key) === "category" ? `category/${file}` : `wiki/${folder}/${file}`;
}

/** The address of an item's page within a snapshot; empty: its kind has no pages. */
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

function slugWithHash(text: string, hashed: string): string {
  const hash = createHash("sha256").update(hashed).digest("hex");
  const slug = slugOf(text);
  return slug === "" ? hash.slice(0, ALONE_LENGTH) : `${slug}-${hash.slice(0, HASH_LENGTH)}`;
}

function slugOf(text: string): string {
  // A hostile title has megabytes.
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

/** The id of a file's row on the page of files, `document-9`. */
export function fileAnchor(key: Key): string {
  return key.replace(/[^A-Za-z0-9]+/g, "-");
}

/** Ids of the snapshots that some files compare with. */
export function comparedAmong(addresses: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const address of addresses) {
    const id = COMPARED.exec(address)?.[1];
    if (id !== undefined) found.add(id);
  }
  return found;
}

/** Parents first. */
const PAGE_FOLDERS: readonly string[] = [
  ...["category", "guide", "tag", "wiki"],
  ...["item", "team", "user", "info", "wiki", "other"].map((namespace) => `wiki/${namespace}`),
];

const FOLDERS: readonly string[] = ["assets", "media", "search", ...PAGE_FOLDERS];
const KNOWN: ReadonlySet<string> = new Set(["", ...FOLDERS]);
/** No two names are equal on any file system: no dot at an end, no slash, no capital letter. */
const NAME = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_]{1,10})$/;
const COMPARED = /^changes\/(\d{8}T\d{6}Z)(\.html$|\/)/;

/** Parents first. `compared`: ids of the snapshots that the export is compared with. */
export function foldersOf(compared: Iterable<string>): readonly string[] {
  const pairs = [...compared].flatMap((id) => [
    `changes/${id}`,
    ...PAGE_FOLDERS.map((folder) => `changes/${id}/${folder}`),
  ]);
  return [...FOLDERS, ...(pairs.length > 0 ? ["changes"] : []), ...pairs];
}

/**
 * Only these addresses are written or removed, whatever a title or a list says. Windows device
 * names (`con.html`) end with their hash and can't occur.
 */
export function isExportPath(path: string): boolean {
  if (path.length > LONGEST) return false;
  const [beginning, , end] = COMPARED.exec(path) ?? [];
  if (beginning === undefined) return isPlain(path, KNOWN);
  return end === ".html" || isPlain(path.slice(beginning.length), COMPARABLE);
}

function isPlain(path: string, folders: ReadonlySet<string>): boolean {
  const slash = path.lastIndexOf("/");
  return folders.has(path.slice(0, Math.max(0, slash))) && NAME.test(path.slice(slash + 1));
}

const COMPARABLE: ReadonlySet<string> = new Set(PAGE_FOLDERS);
const LONGEST = 240;
