import type { Guide, Item, Media, Wiki } from "../../core/model/item.js";
import { type ItemKind, isMediaKey, type Key, kindOf, languageIn, restOf } from "../../core/model/key.js";
import type { SnapshotRow } from "./library.js";
import { pagePathOf } from "./page-path.js";

/** What lists, trees and links show of an item; small, since memory holds one for each item. */
export interface Entry {
  readonly key: Key;
  readonly kind: ItemKind;
  /** The display title, else the title, else `Untitled`. */
  readonly title: string;
  /**
   * The address of its page within a snapshot, `guide/123.html`; empty: the item has no page. See
   * page-path.ts.
   */
  readonly path: string;
  /**
   * Guides: the title of the category. Categories: the title of the parent, without cycles. null:
   * none, or not read yet.
   */
  readonly category: string | null;
  /** UNIX seconds. */
  readonly modified: number | null;
  /** What the body tells; undefined: not read yet. */
  readonly more: EntryMore | undefined;
}

interface EntryMore {
  readonly language: string;
  readonly tags: readonly string[];
  /** The sha256 of its picture's content; null: none. */
  readonly image: string | null;
  /** The summary of a guide, the description of a page. */
  readonly summary: string;
  /** Guides that are not public. */
  readonly isPrivate: boolean;
  /** Categories: the position among the siblings; null: unknown. */
  readonly position: number | null;
  /** null: no media item, or its bytes are missing. */
  readonly medium: MediumFacts | null;
}

export interface MediumFacts {
  readonly sha256: string;
  readonly size: number;
  readonly fileName: string | null;
  /** As the site declared it; media-type.ts decides the served type. */
  readonly type: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * One snapshot of a library in memory: rows first, then each item in the background. Pages show
 * what is known so far.
 */
export interface Catalogue {
  /** `done === total`: every item was read or is damaged. */
  readonly progress: { readonly done: number; readonly total: number };
  /** Resolves when every item was read. Rejects with the signal's reason. */
  readonly read: Promise<void>;
  entry(key: Key): Entry | undefined;
  /**
   * Reads the item now if needed. `more` stays undefined where that fails; `damaged` has the
   * reason.
   */
  known(key: Key): Promise<Entry | undefined>;
  byPath(path: string): Entry | undefined;
  /**
   * In the order of the site's tree, else by title. `null`: at the top, also those with an unknown
   * parent.
   */
  categoriesIn(parent: string | null): readonly Entry[];
  /** By title, without translations. `null`: guides with no known category. */
  guidesIn(category: string | null): readonly Entry[];
  /** Wikis that are no categories, by namespace and title. */
  pages(): readonly Entry[];
  /** By key. */
  media(kind: "image" | "video" | "document"): readonly Entry[];
  /** By name, each with the number of its items. */
  tags(): readonly { readonly tag: string; readonly count: number }[];
  tagged(tag: string): readonly Entry[];
  tagAt(path: string): string | undefined;
  readonly hasTags: boolean;
  /**
   * The guide in all its languages, itself included, by language; empty: it has one language only.
   */
  languagesOf(key: Key): readonly Entry[];
  /** Present items by kind, translations included. */
  readonly counts: Readonly<Record<ItemKind, number>>;
  /** Unreadable items with the reason. */
  readonly damaged: readonly { readonly key: Key; readonly reason: string }[];
}

/** An entry within its catalogue: `more` is set when the item is read. */
export type OpenEntry = { -readonly [Field in keyof Entry]: Entry[Field] };

export interface EntryRecord {
  readonly entry: OpenEntry;
  /** Of the item's bytes, see `SnapshotRow`. */
  readonly digest: string;
  /** The key of its picture; null until the item was read. */
  picture: Key | null;
  /** `taken`: copied from another snapshot's catalogue. */
  state: "waiting" | "read" | "taken" | "damaged";
}

/** What an item tells of itself in lists, without the content of its picture. */
interface ListedFacts {
  readonly title: string;
  readonly category: string | null;
  readonly more: Omit<EntryMore, "image">;
}

/** Characters of a title or summary in lists; hostile ones have megabytes. */
const LONGEST_TITLE = 300;
const LONGEST_SUMMARY = 500;
const MOST_TAGS = 200;

export function recordOf(row: SnapshotRow): EntryRecord {
  const { key, kind, category, modified, digest } = row;
  const title = titleOf(row.title, key);
  const entry = { key, kind, title, path: pagePathOf(key), category, modified, more: undefined };
  return { entry, digest, picture: null, state: "waiting" };
}

export function listedFacts(item: Item, siteLanguage: string): ListedFacts {
  const tellKind = LISTED[item.kind] as (item: Item, siteLanguage: string) => ListedFacts;
  return tellKind(item, siteLanguage);
}

const LISTED: {
  readonly [K in Item["kind"]]: (item: Extract<Item, { readonly kind: K }>, siteLanguage: string) => ListedFacts;
} = {
  guide: ({ key, body }) => guideFacts(key, body),
  wiki: ({ key, body }) => wikiFacts(key, body),
  category: ({ key, body }) => wikiFacts(key, body),
  image: ({ key, body }, language) => mediaFacts(key, body, language),
  video: ({ key, body }, language) => mediaFacts(key, body, language),
  document: ({ key, body }, language) => mediaFacts(key, body, language),
  record: ({ key, body }, language) => ({
    title: titleOf(body.path, key),
    category: null,
    more: { ...NO_FACTS, language },
  }),
};

const NO_FACTS = { tags: [], summary: "", isPrivate: false, position: null, medium: null };

function guideFacts(key: Key, guide: Guide): ListedFacts {
  const { title, category, language, tags, summary } = guide;
  const more = {
    ...NO_FACTS,
    language: languageIn(key) ?? language,
    tags: tagsOf(tags),
    summary: cut(summary, LONGEST_SUMMARY),
    isPrivate: !guide.public,
  };
  return { title: titleOf(title, key), category, more };
}

function wikiFacts(key: Key, wiki: Wiki): ListedFacts {
  const { title, displayTitle, parent, language, tags, description, position } = wiki;
  const shown = displayTitle === null || displayTitle.trim() === "" ? title : displayTitle;
  const more = {
    ...NO_FACTS,
    language,
    tags: tagsOf(tags),
    summary: cut(description, LONGEST_SUMMARY),
    position,
  };
  return { title: titleOf(shown, key), category: parent, more };
}

function mediaFacts(key: Key, media: Media, language: string): ListedFacts {
  const { fileName, width, height, content } = media;
  const medium =
    content === null
      ? null
      : { sha256: content.sha256, size: content.size, fileName, type: content.type, width, height };
  const title = titleOf(fileName ?? "", key);
  return { title, category: null, more: { ...NO_FACTS, language, medium } };
}

/** Media without a title are known by number. */
function titleOf(title: string, key: Key): string {
  const shown = cut(title, LONGEST_TITLE).trim();
  if (shown !== "") return shown;
  return isMediaKey(key) ? `${kindOf(key)} ${cut(restOf(key), LONGEST_TITLE)}` : "Untitled";
}

function tagsOf(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.slice(0, MOST_TAGS).map((tag) => cut(tag, LONGEST_TITLE)))].filter(
    (tag) => tag.trim() !== "",
  );
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Do not cut a surrogate pair.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The picture of an item in lists, or the poster of a video; null: none. */
export function pictureIn(item: Item): Key | null {
  if (item.kind === "video") return item.body.poster ?? null;
  return "image" in item.body ? item.body.image : null;
}
