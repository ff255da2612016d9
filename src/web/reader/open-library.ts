import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { ArchiveError, EXIT, messageOf, UsageError, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { LocalFolder } from "../../storage/repository/files/local-folder.js";
import { isStorageAddress, storageAt } from "../../storage/repository/files/open-storage.js";
import { checkedContent } from "../../storage/repository/read/contents.js";
import { openRepository } from "../../storage/repository/read/open-repository.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { LibraryOptions, Medium, OpenLibrary, SnapshotFacts, SnapshotRow, SnapshotView } from "./library.js";
import { openArchiveLibrary, openRepositoryLibrary, RepositorySnapshots } from "./repository-library.js";

/** Pause after work, as a multiple of its duration. */
const REST = 9;

/** Limits frequent work to a tenth of the time. */
export class Cooldown {
  readonly #now: () => number;
  #free = 0;

  /** `now`: monotonic milliseconds. Default: those of the process. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** undefined: too soon. */
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
 * A workspace, also during a run. Media that a backup moved into its repository are read there.
 * Throws WorkspaceError when it can't be read, or holds nothing yet (exit 10).
 */
async function openWorkspaceLibrary(directory: string, options: LibraryOptions): Promise<OpenLibrary> {
  const workspace = await inspectWorkspace(directory);
  try {
    const { folder, remark } = await repositoryOf(workspace);
    const archivedMedia = folder === undefined ? undefined : new ArchivedMedia(folder, options);
    const state = new WorkspaceState(workspace, async (sha256) => archivedMedia?.find(sha256));
    return {
      path: directory,
      kind: "workspace",
      remarks: remark === undefined ? [] : [remark],
      isEncrypted: false,
      get snapshots() {
        return [state.snapshot.facts];
      },
      find: (at) => {
        if (at === undefined || at === NOW || at === "latest") return state.snapshot.facts;
        throw new UsageError(
          `${directory} is a workspace and has no snapshots, only its current state. Omit --at ${at}.`,
        );
      },
      at: async (id) => (id === NOW ? state.snapshot : undefined),
      refresh: async () => (state.refresh() ? CHANGED : UNCHANGED),
      close: async () => {
        await workspace.close();
        await archivedMedia?.close();
      },
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

const CHANGED: ReadonlySet<string> = new Set([NOW]);
const UNCHANGED: ReadonlySet<string> = new Set();

class WorkspaceState {
  readonly #workspace: ReadonlyWorkspace;
  readonly #others: FindMedium;
  readonly #seldom = new Cooldown();
  #version: string;
  #snapshot: WorkspaceSnapshotView;

  constructor(workspace: ReadonlyWorkspace, others: FindMedium) {
    this.#workspace = workspace;
    this.#others = others;
    this.#version = workspace.itemsVersion();
    this.#snapshot = this.#newSnapshot();
  }

  get snapshot(): WorkspaceSnapshotView {
    return this.#snapshot;
  }

  /** true: it changed. During a run that writes constantly some changes show later. */
  refresh(): boolean {
    return (
      this.#seldom.do(() => {
        const version = this.#workspace.itemsVersion();
        if (version === this.#version) return false;
        this.#snapshot = this.#newSnapshot();
        this.#version = version;
        return true;
      }) ?? false
    );
  }

  #newSnapshot(): WorkspaceSnapshotView {
    const workspace = this.#workspace;
    const site = workspace.source();
    if (site === undefined)
      throw new WorkspaceError(`The workspace ${workspace.directory} is empty: no run has extracted a site into it.`, {
        exitCode: EXIT.notFound,
      });
    const facts: SnapshotFacts = {
      id: NOW,
      time: lastRead(workspace.items.entries()),
      complete: isComplete(workspace),
    };
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

/** Finds media that are not in the workspace's folder. */
type FindMedium = (sha256: string) => Promise<Medium | undefined>;

class WorkspaceSnapshotView implements SnapshotView {
  readonly facts: SnapshotFacts;
  readonly site: SiteIdentity;
  readonly #workspace: ReadonlyWorkspace;
  readonly #others: FindMedium;

  constructor(workspace: ReadonlyWorkspace, { facts, site }: Pick<SnapshotView, "facts" | "site">, others: FindMedium) {
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
    throw new WorkspaceError(`${key} is no longer in the workspace ${this.#workspace.directory}. Reload the page.`, {
      exitCode: EXIT.someFailed,
    });
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

/** Rows in a batch. */
const BATCH = 500;
const SHA256 = /^[0-9a-f]{64}$/;

/** undefined: absent, or empty after a disk repair. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size > 0 ? stats.size : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new WorkspaceError(`The file ${path} cannot be read. Check its owner and permissions.`, {
      cause: error,
      exitCode: EXIT.someFailed,
    });
  }
}

/** Media of a workspace that are in the archives of its repository. */
class ArchivedMedia {
  readonly #address: string;
  readonly #options: LibraryOptions;
  /** Opened for the first missing medium. */
  #opening: Promise<RepositorySnapshots | undefined> | undefined;

  constructor(address: string, options: LibraryOptions) {
    this.#address = address;
    this.#options = options;
  }

  /**
   * undefined: the last snapshot has no such content. Throws ArchiveError where the repository
   * can't be read.
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

  async #findIn(times: RepositorySnapshots | undefined, sha256: string): Promise<Medium | undefined> {
    const last = times?.times.at(-1);
    return last === undefined ? undefined : (await times?.at(last.id))?.medium(sha256);
  }

  #times(): Promise<RepositorySnapshots | undefined> {
    const opening = this.#opening ?? this.#open();
    this.#opening = opening;
    // The next request tries again.
    opening.then(
      (times) => times === undefined && this.#forget(opening),
      () => this.#forget(opening),
    );
    return opening;
  }

  #forget(opening: Promise<RepositorySnapshots | undefined>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }

  /** undefined: no snapshot yet. */
  async #open(): Promise<RepositorySnapshots | undefined> {
    try {
      const storage = await storageAt(this.#address);
      return await RepositorySnapshots.follow(storage, () => openRepository(storage, this.#options));
    } catch (error) {
      if (error instanceof ArchiveError && error.exitCode === EXIT.notFound) return undefined;
      throw error;
    }
  }
}

interface RepositoryOfWorkspace {
  readonly folder: string | undefined;
  /** Why media in the repository can't be shown. undefined: they can, or there are none. */
  readonly remark: string | undefined;
}

/** The repository around a workspace, else the one of its last backup. */
async function repositoryOf(workspace: ReadonlyWorkspace): Promise<RepositoryOfWorkspace> {
  const noted = workspace.runs.lastOf("backup")?.details["repository"];
  const known = typeof noted === "string" ? noted : undefined;
  for (const folder of [dirname(resolve(workspace.directory)), known])
    if (folder !== undefined && (await isRepository(folder))) return { folder, remark: undefined };
  const remark = workspace.archived.hasMedia() ? notThere(workspace.directory, known) : undefined;
  return { folder: undefined, remark };
}

function notThere(directory: string, known: string | undefined): string {
  const where = known === undefined ? "Its folder is unknown." : `It is no longer at ${known}.`;
  return (
    `The media files of the workspace ${directory} are in the archives of its repository. ${where} ` +
    "The reader cannot show these files. To see them, open the repository: guideferry browse REPO."
  );
}

/**
 * Opens a repository by its address, an archive by its file, or a workspace by its folder. Throws
 * UsageError (exit 2, or 10 where nothing is there) for anything else, ArchiveError for a refused
 * archive or an empty repository, WorkspaceError for an unreadable workspace.
 */
export async function openLibrary(path: string, options: LibraryOptions = {}): Promise<OpenLibrary> {
  const kind = isStorageAddress(path) ? "repository" : await kindOf(path);
  return OPENERS[kind](path, options);
}

const OPENERS: Readonly<Record<OpenLibrary["kind"], (path: string, options: LibraryOptions) => Promise<OpenLibrary>>> =
  {
    repository: openRepositoryLibrary,
    archive: openArchiveLibrary,
    workspace: openWorkspaceLibrary,
  };

const EXPECTED =
  "Expected the folder of a repository or of a workspace, or one archive of a backup or an export (.zip, .zip.age).";

async function kindOf(path: string): Promise<OpenLibrary["kind"]> {
  const stats = await look(path);
  if (stats.isFile()) {
    if (await isArchive(path)) return "archive";
    throw new UsageError(`${path} is a file, but not an archive. ${EXPECTED}`);
  }
  if (await isRepository(path)) return "repository";
  if (await isThere(join(path, "workspace.json"))) return "workspace";
  throw new UsageError(
    `${path} is ${stats.isDirectory() ? "not a repository or a workspace" : "not a file or a folder"}. ${EXPECTED}`,
  );
}

async function look(path: string): ReturnType<typeof stat> {
  try {
    return await stat(path);
  } catch (cause) {
    const reason = messageOf(cause);
    if (isAbsent(cause))
      throw new UsageError(`${path} does not exist. ${EXPECTED}`, { cause, exitCode: EXIT.notFound });
    throw new UsageError(`${path} cannot be read: ${reason}. Check its owner and permissions.`, { cause });
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Decides by the first bytes: people name the file of an export freely. */
async function isArchive(path: string): Promise<boolean> {
  const file = await new LocalFolder(dirname(path)).open(basename(path));
  if (file === undefined) return false;
  try {
    const head = Buffer.alloc(LONGEST_BEGINNING);
    const { bytesRead } = await file.read(head, 0, Math.min(head.length, file.bytes), 0);
    const text = head.toString("latin1", 0, bytesRead);
    return BEGINNINGS.some((beginning) => text.startsWith(beginning));
  } finally {
    await file.close();
  }
}

const BEGINNINGS: readonly string[] = ["PK\x03\x04", "PK\x05\x06", "age-encryption.org/"];
const LONGEST_BEGINNING = 32;
