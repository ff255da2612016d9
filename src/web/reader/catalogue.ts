import type { ItemKind, Key } from "../../core/model/key.js";

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
