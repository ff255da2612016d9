import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import type { Library, TimeFacts } from "./library.js";

/** A library, with what a command tells of it. */
export interface OpenLibrary extends Library {
  readonly kind: "repository" | "archive" | "workspace";
  /** Its content lies encrypted on the disk, so that nobody else may keep a copy of it in the clear. */
  readonly isEncrypted: boolean;
  /**
   * The time that the words of `--at` name, see `findSnapshot`; default: the last one. Throws UsageError for other words, ArchiveError (exit 10) where there is none.
   */
  find(at?: string): TimeFacts;
  /**
   * Looks at what was opened as it is now: snapshots that came or went, a workspace that changed; `times`, `at`, `find` tell of it from then on. Resolves to the ids of
   * times that hold something else than before. Costs little where nothing changed, so that it may come before every page. Throws as opening does, and all
   * stays as it was.
   */
  refresh(): Promise<ReadonlySet<string>>;
}

export interface LibraryOptions {
  /** What opens encrypted archives; default: nothing. */
  readonly keys?: RepositoryKeys;
}
