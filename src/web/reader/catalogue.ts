import type { Guide, Item, Media, Wiki } from "../../core/model/item.js";
import { type ItemKind, isMediaKey, type Key, kindOf, languageIn, restOf } from "../../core/model/key.js";
import type { SnapshotRow } from "./library.js";
import { pagePathOf } from "./page-path.js";

/**
 * What lists, trees and links show of an item; small, since a catalogue holds one for each item of
 * a site.
 */
export interface Entry {
  readonly key: Key;
  readonly kind: ItemKind;
  /**
   * What people see as its title: a display title before a title, `Untitled` where there is none.
   */
  readonly title: string;
  /**
   * The address of its page inside of a time, with slashes and without one at its beginning:
   * `guide/123.html`; empty: it has none. See page-path.ts.
   */
  readonly path: string;
  /**
   * Guides: the title of the category. Categories: the title of the parent, never in a circle.
   * null: none, or not read yet.
   */
  readonly category: string | null;
  /** UNIX seconds. */
  readonly modified: number | null;
  /** What only its body tells; undefined: it was not read yet. */
  readonly more: EntryMore | undefined;
}

/** What is known of an item once it was read. */
export interface EntryMore {
  readonly language: string;
  readonly tags: readonly string[];
  /** The sha256 of its picture's content; null: it has none. */
  readonly image: string | null;
  /** A line about it: the summary of a guide, the description of a page. */
  readonly summary: string;
  /** Guides: not public. */
  readonly isPrivate: boolean;
  /** Categories: place among the siblings; null: none was told. */
  readonly position: number | null;
  /**
   * Media: the name people gave it, and its bytes; null: it is no media item, or its bytes were
   * never had.
   */
  readonly medium: MediumFacts | null;
}

/** How a media item is shown, and where its bytes are. */
export interface MediumFacts {
  readonly sha256: string;
  readonly size: number;
  readonly fileName: string | null;
  /** As the site said; what it is served as decides media-type.ts alone. */
  readonly type: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * All that one time of a library has, in memory: first from rows, which are read at once, then item
 * by item in the background. Pages are made from it, and show what is known so far.
 */
export interface Catalogue {
  /** How far the items were read; `done === total`: all that was there, damaged ones too. */
  readonly progress: { readonly done: number; readonly total: number };
  /**
   * Resolves when every item was read. Rejects with the signal's reason when it was closed before.
   */
  readonly read: Promise<void>;
  /** By key; undefined: not there. */
  entry(key: Key): Entry | undefined;
  /**
   * The same with `more`: what was not read yet is read now. `more` stays undefined where that
   * fails; `damaged` says why then.
   */
  known(key: Key): Promise<Entry | undefined>;
  /** By the address of its page, case-sensitive. */
  byPath(path: string): Entry | undefined;
  /**
   * In the order of the site's tree where it gave one, else by title. `null`: those at the top, and
   * those whose parent is not there.
   */
  categoriesIn(parent: string | null): readonly Entry[];
  /** By title, translations apart. `null`: those whose category is not there. */
  guidesIn(category: string | null): readonly Entry[];
  /** Pages that are no categories, by namespace and title. */
  pages(): readonly Entry[];
  /** Images, videos and documents, by key. */
  media(kind: "image" | "video" | "document"): readonly Entry[];
  /** Each tag with the number of its items, by name. */
  tags(): readonly { readonly tag: string; readonly count: number }[];
  tagged(tag: string): readonly Entry[];
  /** The tag whose page has this address; undefined: none has. */
  tagAt(path: string): string | undefined;
  /** Is there any tag? */
  readonly hasTags: boolean;
  /**
   * The same guide in other languages, itself included, by language; empty: only this one is there.
   */
  languagesOf(key: Key): readonly Entry[];
  /** How many present items there are of each kind, translations included. */
  readonly counts: Readonly<Record<ItemKind, number>>;
  /** What could not be read, with the reason, for people. */
  readonly damaged: readonly { readonly key: Key; readonly reason: string }[];
}

/** An entry as a catalogue holds it: it becomes more when its item is read. */
export type OpenEntry = { -readonly [Field in keyof Entry]: Entry[Field] };

/** An entry, with what its catalogue has to know of it. */
export interface EntryRecord {
  readonly entry: OpenEntry;
  /** Of the item's bytes, see `ShelfRow`. */
  readonly digest: string;
  /** The item that its picture is, once its own was read. */
  picture: Key | null;
  /** `waiting`: it was not read; `taken`: another time's catalogue told what is in it. */
  state: "waiting" | "read" | "taken" | "damaged";
}

/** What an item tells of itself in lists. Its picture's content another item tells. */
interface Told {
  readonly title: string;
  readonly category: string | null;
  readonly more: Omit<EntryMore, "image">;
}

/** A title or line of a list is no longer than this, in characters: a hostile one has megabytes. */
const LONGEST_TITLE = 300;
const LONGEST_SUMMARY = 500;
const MOST_TAGS = 200;

export function recordOf(row: SnapshotRow): EntryRecord {
  const { key, kind, category, modified, digest } = row;
  const title = titleOf(row.title, key);
  const entry = { key, kind, title, path: pagePathOf(key), category, modified, more: undefined };
  return { entry, digest, picture: null, state: "waiting" };
}

/** What an item says, in short. */
export function tell(item: Item, siteLanguage: string): Told {
  const tellKind = TELLERS[item.kind] as (item: Item, siteLanguage: string) => Told;
  return tellKind(item, siteLanguage);
}

const TELLERS: {
  readonly [K in Item["kind"]]: (item: Extract<Item, { readonly kind: K }>, siteLanguage: string) => Told;
} = {
  guide: ({ key, body }) => guideTold(key, body),
  wiki: ({ key, body }) => wikiTold(key, body),
  category: ({ key, body }) => wikiTold(key, body),
  image: ({ key, body }, language) => mediaTold(key, body, language),
  video: ({ key, body }, language) => mediaTold(key, body, language),
  document: ({ key, body }, language) => mediaTold(key, body, language),
  record: ({ key, body }, language) => ({
    title: titleOf(body.path, key),
    category: null,
    more: { ...NOTHING_MORE, language },
  }),
};

const NOTHING_MORE = { tags: [], summary: "", isPrivate: false, position: null, medium: null };

function guideTold(key: Key, guide: Guide): Told {
  const { title, category, language, tags, summary } = guide;
  const more = {
    ...NOTHING_MORE,
    language: languageIn(key) ?? language,
    tags: tagsOf(tags),
    summary: cut(summary, LONGEST_SUMMARY),
    isPrivate: !guide.public,
  };
  return { title: titleOf(title, key), category, more };
}

function wikiTold(key: Key, wiki: Wiki): Told {
  const { title, displayTitle, parent, language, tags, description, position } = wiki;
  const shown = displayTitle === null || displayTitle.trim() === "" ? title : displayTitle;
  const more = {
    ...NOTHING_MORE,
    language,
    tags: tagsOf(tags),
    summary: cut(description, LONGEST_SUMMARY),
    position,
  };
  return { title: titleOf(shown, key), category: parent, more };
}

function mediaTold(key: Key, media: Media, language: string): Told {
  const { fileName, width, height, content } = media;
  const medium =
    content === null
      ? null
      : { sha256: content.sha256, size: content.size, fileName, type: content.type, width, height };
  const title = titleOf(fileName ?? "", key);
  return { title, category: null, more: { ...NOTHING_MORE, language, medium } };
}

/**
 * Without a title: the key's rest for media, which people know by number; `Untitled` for the
 * others.
 */
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
  // Not within a pair of surrogates.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * The picture that stands for an item in lists, or for a video until it plays; null: it has none,
 * or is none of those that have one.
 */
export function pictureIn(item: Item): Key | null {
  if (item.kind === "video") return item.body.poster ?? null;
  return "image" in item.body ? item.body.image : null;
}
