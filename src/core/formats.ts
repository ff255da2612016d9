import type { Readable } from "node:stream";
import type { z } from "zod";
import type { SiteIdentity } from "./model/identity.js";
import type { Report } from "./model/issue.js";
import type { Item } from "./model/item.js";
import type { Key } from "./model/key.js";

// The contracts' second page: what changes content on its way, and content that comes and goes as
// documents.

/**
 * A tree of files that a format reads: an opened archive or a folder. Whatever stands here went
 * past the archive guard (src/storage/archive): no path climbs, collides or is a link, and no
 * content is longer than its size.
 */
export interface Files {
  /** Where it lies, for messages. */
  readonly name: string;
  /**
   * Every file, no folders, each once: relative, `/` between the segments, Unicode NFC, in the
   * order of code points. Empty folders and what file managers leave (`__MACOSX/`, `.DS_Store`) are
   * not among them.
   */
  readonly paths: readonly string[];
  /** Bytes of the content, unpacked. Throws for a path that is not in `paths`. */
  size(path: string): number;
  /**
   * The content, a fresh stream at each call. Size and checksum are checked as the bytes pass: the
   * stream ends only when both are right, else it fails with ArchiveError. Throws for a path that
   * is not in `paths`.
   */
  open(path: string): Promise<Readable>;
}

/** One kind of documents that content comes in or goes out as; transforms/index.ts lists them. */
export interface Format {
  /** Lower case: `omanual`. */
  readonly name: string;
  /**
   * Could these be its documents? Names alone decide, so several formats may say yes; `read` tells
   * what is really there.
   */
  accepts(paths: readonly string[]): boolean;
  /**
   * The items of a package, each once. What is odd about a document is reported, also what is wrong
   * with it: then the others go on. Throws what `files` throws.
   */
  read(files: Files, report: Report): AsyncIterable<Item>;
  /** Files for a package, in their order. */
  write?(
    items: AsyncIterable<Item>,
    report: Report,
  ): AsyncIterable<{ readonly path: string; readonly content: Readable }>;
}

/**
 * `[]` drops the item, several split it. Sees categories, pages and guides. Never throws for bad
 * content: that is an Issue.
 */
export type Transform = (item: Item, report: Report) => readonly Item[];

/** What a transform may ask about the rest of the workspace; the same answers all through a run. */
export interface TransformContext {
  /** The site that the content comes from. */
  readonly source: SiteIdentity;
  /**
   * The title that a key's item has at the source; undefined: it is not in the workspace, or is
   * gone at the source.
   */
  titleOf(key: Key): string | undefined;
  /**
   * The most characters of a line that the target is known to take, which a probe may find out
   * between two items. Default: 350 are assumed.
   */
  lineLength?(): number;
}

/** A user-selectable transform. */
export interface TransformSpec<O> {
  /** Kebab-case: what `--transform` calls it. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  readonly options: z.ZodType<O>;
  /** Called once a run, before the first item. */
  create(options: O, context: TransformContext): Transform;
}
