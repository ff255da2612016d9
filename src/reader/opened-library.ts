import type { RepositoryKeys } from "../archive/repository/read/repository-keys.js";
import type { Library, TimeFacts } from "./library.js";

/** A library, with what a command tells of it. */
export interface OpenLibrary extends Library {
  readonly kind: "repository" | "archive" | "workspace";
  /** What is odd about what was opened, for people. */
  readonly remarks: readonly string[];
  /** Its content lies encrypted on the disk, so that nobody else may keep a copy of it in the clear. */
  readonly isEncrypted: boolean;
  /**
   * The time that the words of `--at` name, see `findSnapshot`; default: the last one. Throws UsageError for other words, ArchiveError (exit 10) where there is none.
   */
  find(at?: string): TimeFacts;
}

export interface LibraryOptions {
  /** What opens encrypted archives; default: nothing. */
  readonly keys?: RepositoryKeys;
}
