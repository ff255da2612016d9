import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { ArchiveError, EXIT, UsageError, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { checkedContent } from "../../storage/repository/read/contents.js";
import { openRepository } from "../../storage/repository/read/open-repository.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { LibraryOptions, Medium, OpenLibrary, SnapshotRow, SnapshotView, TimeFacts } from "./library.js";
import { SnapshotTimes } from "./repository-library.js";

/** So many times as long as the work took nothing is done after it. */
const REST = 9;

/** Work that is wanted often and done so seldom that it takes a tenth of the time at most. */
export class Cooldown {
  readonly #now: () => number;
  #free = 0;

  /** `now`: milliseconds that never go back. Default: those of the process. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** What the work gives; undefined: it is too soon for it. */
  do<T>(work: () => T): T | undefined {
    const start = this.#now();
    if (start < this.#free) return undefined;
    try {
      return work();
    } finally {
      const end = this.#now();
      this.#free = end + REST * (end - start);
    }
  }
}

const NOW = "now";

/**
 * A workspace as it is, also while a run is on. Media that a backup put into the archives of its
 * repository are looked for there. Throws WorkspaceError when it can't be read, or holds nothing
 * yet (exit 10).
 */
export async function openWorkspaceLibrary(directory: string, options: LibraryOptions): Promise<OpenLibrary> {
  const workspace = await inspectWorkspace(directory);
  try {
    const { folder, remark } = await repositoryOf(workspace);
    const beside = folder === undefined ? undefined : new MediaBeside(folder, options);
    const state = new WorkspaceState(workspace, async (sha256) => beside?.find(sha256));
    return {
      path: directory,
      kind: "workspace",
      remarks: remark === undefined ? [] : [remark],
      isEncrypted: false,
      get times() {
        return [state.shelf.facts];
      },
      find: (at) => {
        if (at === undefined || at === NOW || at === "latest") return state.shelf.facts;
        throw new UsageError(`${directory} is a workspace, which has no other time than now. Leave out --at ${at}.`);
      },
      at: async (id) => (id === NOW ? state.shelf : undefined),
      refresh: async () => (state.refresh() ? CHANGED : UNCHANGED),
      close: async () => {
        await workspace.close();
        await beside?.close();
      },
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

const CHANGED: ReadonlySet<string> = new Set([NOW]);
const UNCHANGED: ReadonlySet<string> = new Set();

/** A workspace, with what is known of it since it changed last. */
class WorkspaceState {
  readonly #workspace: ReadonlyWorkspace;
  readonly #others: OtherMedia;
  readonly #seldom = new Cooldown();
  #version: string;
  #shelf: WorkspaceSnapshotView;

  constructor(workspace: ReadonlyWorkspace, others: OtherMedia) {
    this.#workspace = workspace;
    this.#others = others;
    this.#version = workspace.itemsVersion();
    this.#shelf = this.#newShelf();
  }

  get shelf(): WorkspaceSnapshotView {
    return this.#shelf;
  }

  /** true: it changed. While a run writes all the time, some changes are seen a little later. */
  refresh(): boolean {
    return (
      this.#seldom.do(() => {
        const version = this.#workspace.itemsVersion();
        if (version === this.#version) return false;
        this.#version = version;
        this.#shelf = this.#newShelf();
        return true;
      }) ?? false
    );
  }

  #newShelf(): WorkspaceSnapshotView {
    const workspace = this.#workspace;
    const site = workspace.source();
    if (site === undefined)
      throw new WorkspaceError(
        `The workspace ${workspace.directory} holds nothing yet: no run has read a site into it.`,
        { exitCode: EXIT.notFound },
      );
    const facts: TimeFacts = { id: NOW, time: lastRead(workspace.items.entries()), complete: isComplete(workspace) };
    return new WorkspaceSnapshotView(workspace, { facts, site }, this.#others);
  }
}

function lastRead(entries: Iterable<{ readonly readAt: number }>): number {
  let last = 0;
  for (const { readAt } of entries) last = Math.max(last, readAt);
  return last;
}

function isComplete({ failures }: ReadonlyWorkspace): boolean {
  for (const { stage } of failures.list()) if (stage === "extract" || stage === "media") return false;
  return true;
}

/** Where media lie that are not in the folder. */
type OtherMedia = (sha256: string) => Promise<Medium | undefined>;

/** A workspace as it is at the moment of each question. */
class WorkspaceSnapshotView implements SnapshotView {
  readonly facts: TimeFacts;
  readonly site: SiteIdentity;
  readonly #workspace: ReadonlyWorkspace;
  readonly #others: OtherMedia;

  constructor(workspace: ReadonlyWorkspace, { facts, site }: Pick<SnapshotView, "facts" | "site">, others: OtherMedia) {
    this.#workspace = workspace;
    this.facts = facts;
    this.site = site;
    this.#others = others;
  }

  async *rows(): AsyncGenerator<SnapshotRow> {
    for await (const rows of this.rowBatches()) yield* rows;
  }

  async *rowBatches(): AsyncGenerator<readonly SnapshotRow[]> {
    let rows: SnapshotRow[] = [];
    for (const { key, kind, state, title, category, modified, digest } of this.#workspace.items.entries()) {
      if (state === "present") rows.push({ key, kind, title, category, modified, digest });
      if (rows.length < BATCH) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }

  async row(key: Key): Promise<SnapshotRow | undefined> {
    const entry = this.#workspace.items.entry(key);
    if (entry?.state !== "present") return undefined;
    const { kind, title, category, modified, digest } = entry;
    return { key: entry.key, kind, title, category, modified, digest };
  }

  async item({ key }: Pick<SnapshotRow, "key">): Promise<Item> {
    const item = await this.#workspace.items.get(key);
    if (item !== undefined) return item;
    throw new WorkspaceError(
      `${key} is no longer in the workspace ${this.#workspace.directory}. Load the page again.`,
      {
        exitCode: EXIT.someFailed,
      },
    );
  }

  async medium(sha256: string): Promise<Medium | undefined> {
    if (!SHA256.test(sha256)) return undefined;
    const path = this.#workspace.media.path(sha256);
    const size = await sizeOf(path);
    if (size === undefined) return this.#others(sha256);
    return {
      size,
      open: async (range) => {
        if (range === undefined) {
          const place = { path, archive: this.#workspace.directory, sha256, size };
          return Readable.from(checkedContent(createReadStream(path), place), { objectMode: false });
        }
        const { start, end } = range;
        return start >= end ? Readable.from([]) : createReadStream(path, { start, end: end - 1 });
      },
    };
  }
}

/** Rows that are given at once. */
const BATCH = 500;
const SHA256 = /^[0-9a-f]{64}$/;

/** undefined: it is not there, or empty, as a broken disk repair may leave it. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size > 0 ? stats.size : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new WorkspaceError(`The medium ${path} can't be looked at. Check its owner and mode.`, {
      cause: error,
      exitCode: EXIT.someFailed,
    });
  }
}

/**
 * The media of a workspace that lie in the archives of a repository of backups, which lets go of
 * what it has stored.
 */
class MediaBeside {
  readonly #folder: string;
  readonly #options: LibraryOptions;
  /** Opened when the first medium is missed. */
  #opening: Promise<SnapshotTimes | undefined> | undefined;

  constructor(folder: string, options: LibraryOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Throws ArchiveError where the repository can't be read; undefined: its last snapshot has no
   * such content.
   */
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
interface RepositoryOfWorkspace {
  /** undefined: none was found. */
  readonly folder: string | undefined;
  /**
   * For people: that media lie there and can't be shown. undefined: they can, or there are none.
   */
  readonly remark: string | undefined;
}

/**
 * The repository around a workspace, as `backup` makes it; else the one that its last backup wrote
 * to.
 */
async function repositoryOf(workspace: ReadonlyWorkspace): Promise<RepositoryOfWorkspace> {
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
