import type { Guide } from "../../core/model/guide.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf, languageIn, restOf } from "../../core/model/key.js";
import type { Media } from "../../core/model/media.js";
import type { Wiki } from "../../core/model/wiki.js";
import type { Entry, EntryMore } from "./catalogue.js";
import type { ShelfRow } from "./library.js";
import { pagePathOf } from "./page-path.js";

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
export interface Told {
  readonly title: string;
  readonly category: string | null;
  readonly more: Omit<EntryMore, "image">;
}

/** A title or line of a list is no longer than this, in characters: a hostile one has megabytes. */
const LONGEST_TITLE = 300;
const LONGEST_SUMMARY = 500;
const MOST_TAGS = 200;

export function recordOf(row: ShelfRow): EntryRecord {
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

/** Without a title: the key's rest for media, which people know by number; `Untitled` for the others. */
function titleOf(title: string, key: Key): string {
  const shown = cut(title, LONGEST_TITLE).trim();
  if (shown !== "") return shown;
  return MEDIA.has(kindOf(key)) ? `${kindOf(key)} ${cut(restOf(key), LONGEST_TITLE)}` : "Untitled";
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

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
