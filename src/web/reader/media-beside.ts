import { dirname, resolve } from "node:path";
import { openRepository } from "../../storage/repository/read/open-repository.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import { ArchiveError, EXIT } from "../../core/errors.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { Medium } from "./library.js";
import type { LibraryOptions } from "./opened-library.js";
import { SnapshotTimes } from "./snapshot-times.js";

/** The media of a workspace that lie in the archives of a repository of backups, which lets go of what it has stored. */
export class MediaBeside {
  readonly #folder: string;
  readonly #options: LibraryOptions;
  /** Opened when the first medium is missed. */
  #opening: Promise<SnapshotTimes | undefined> | undefined;

  constructor(folder: string, options: LibraryOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Throws ArchiveError where the repository can't be read; undefined: its last snapshot has no such content. */
  async find(sha256: string): Promise<Medium | undefined> {
    const times = await this.#times();
    const found = await this.#findIn(times, sha256);
    if (found !== undefined || times === undefined) return found;
    // A backup may have stored it since.
    await times.refresh();
    return this.#findIn(times, sha256);
  }

  async close(): Promise<void> {
    const [opened] = await Promise.allSettled([this.#opening]);
    if (opened.status === "fulfilled") await opened.value?.close();
  }

  async #findIn(times: SnapshotTimes | undefined, sha256: string): Promise<Medium | undefined> {
    const last = times?.times.at(-1);
    return last === undefined ? undefined : (await times?.at(last.id))?.medium(sha256);
  }

  #times(): Promise<SnapshotTimes | undefined> {
    const opening = this.#opening ?? this.#open();
    this.#opening = opening;
    // Another attempt shall look again.
    opening.then(
      (times) => times === undefined && this.#forget(opening),
      () => this.#forget(opening),
    );
    return opening;
  }

  #forget(opening: Promise<SnapshotTimes | undefined>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }

  /** undefined: there is no snapshot yet. */
  async #open(): Promise<SnapshotTimes | undefined> {
    try {
      return await SnapshotTimes.follow(this.#folder, () => openRepository(this.#folder, this.#options));
    } catch (error) {
      if (error instanceof ArchiveError && error.exitCode === EXIT.notFound) return undefined;
      throw error;
    }
  }
}

/** Where the repository of a workspace is. */
export interface RepositoryOfWorkspace {
  /** undefined: none was found. */
  readonly folder: string | undefined;
  /** For people: that media lie there and can't be shown. undefined: they can, or there are none. */
  readonly remark: string | undefined;
}

/** The repository around a workspace, as `backup` makes it; else the one that its last backup wrote to. */
export async function repositoryOf(workspace: ReadonlyWorkspace): Promise<RepositoryOfWorkspace> {
  const noted = workspace.runs.lastOf("backup")?.details["repository"];
  const known = typeof noted === "string" ? noted : undefined;
  for (const folder of [dirname(resolve(workspace.directory)), known])
    if (folder !== undefined && (await isRepository(folder))) return { folder, remark: undefined };
  const remark = workspace.archived.hasMedia() ? notThere(workspace.directory, known) : undefined;
  return { folder: undefined, remark };
}

function notThere(directory: string, known: string | undefined): string {
  const where = known === undefined ? "which is not around it" : `which is no longer at ${known}`;
  return (
    `Pictures and files of the workspace ${directory} lie in the archives of its repository of backups, ${where}: they can't be shown. ` +
    "To see them open the repository itself."
  );
}
