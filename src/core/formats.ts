import type { Readable } from "node:stream";
import type { z } from "zod";
import type { SiteIdentity } from "./model/identity.js";
import type { Report } from "./model/issue.js";
import type { CodeTable } from "./model/issue-codes.js";
import type { Item } from "./model/item.js";
import type { Key } from "./model/key.js";

/**
 * The files of an opened archive or a folder, all checked by the archive guard: no path climbs,
 * collides or is a link, and no content is longer than its size.
 */
export interface Files {
  readonly name: string;
  /**
   * Files only, each once: relative, `/` as separator, NFC, in the order of code points; without
   * `__MACOSX/` and `.DS_Store`.
   */
  readonly paths: readonly string[];
  /** Bytes of the content, unpacked. Throws for a path that is not in `paths`. */
  size(path: string): number;
  /** A new stream at each call. It fails with ArchiveError unless size and checksum are right. */
  open(path: string): Promise<Readable>;
}

/** One format of documents that are read or written; transforms/index.ts lists them. */
export interface Format {
  /** Lower case: `omanual`. */
  readonly name: string;
  /** Could these be its documents, by their names? Several formats may say yes. */
  accepts(paths: readonly string[]): boolean;
  /** The items of a package, each once. A wrong document is reported, and the others go on. */
  read(files: Files, report: Report): AsyncIterable<Item>;
  write?(
    items: AsyncIterable<Item>,
    report: Report,
  ): AsyncIterable<{ readonly path: string; readonly content: Readable }>;
}

/** `[]` drops the item, several split it. Bad content is an Issue and never throws. */
export type Transform<Code extends string = string> = (item: Item, report: Report<Code>) => readonly Item[];

/** Facts of the rest of the workspace for a transform; the same answers during the whole run. */
export interface TransformContext {
  readonly source: SiteIdentity;
  /** The title at the source; undefined: not in the workspace, or deleted at the source. */
  titleOf(key: Key): string | undefined;
  /** Longest line on the target in characters; a probe may raise it. Default: 350. */
  lineLength?(): number;
}

/** A user-selectable transform; `Code`: the issues that it reports. */
export interface TransformSpec<O, Code extends string = never> {
  /** Kebab-case: the name for `--transform`. */
  readonly name: string;
  readonly about: string;
  readonly options: z.ZodType<O>;
  /** What its codes mean: docs/reference/issue-codes.md lists them. */
  readonly codes?: CodeTable<Code>;
  /** Called once per run, before the first item. */
  create(options: O, context: TransformContext): Transform<Code>;
}
