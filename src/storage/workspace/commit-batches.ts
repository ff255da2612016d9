import { closeSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { syncFile, syncFolder } from "../../core/util/files.js";
import type { Database } from "../sqlite.js";
import { storageError } from "../storage-error.js";
import { createPrivate, type Layout, renameInto, temporaryFile } from "./layout.js";

/** A written file in `temporary/` that is not synced yet, and the path that it gets. */
export interface StagedFile {
  readonly descriptor: number;
  readonly temporary: string;
  readonly file: string;
}

/** Stores new files at another place, durably, before they get their names. */
export type KeepFiles = (files: readonly Pick<StagedFile, "temporary" | "file">[]) => Promise<void>;

/** Files, and the rows of the state that tell of them: all of a part, or nothing that counts. */
interface Part {
  readonly files: readonly StagedFile[];
  /** Writes the rows; not async. */
  readonly rows?: () => void;
}

interface Waiting extends Part {
  readonly done: () => void;
  readonly failed: (reason: unknown) => void;
}

/** Files of a batch: each is open, and macOS allows 256 open files. */
const MOST = 64;
/** Milliseconds in which a part waits for others, so that they share syncs and a commit. */
const GATHERING = 10;

/**
 * Makes files and rows durable, many at a time. First the files are synced, kept at another place
 * where the workspace has one, and renamed, and their folders synced; then one transaction commits
 * the rows, and one sync makes it durable. So no row tells of a file that a power failure can take.
 * Batches follow one another, and parts keep their order.
 */
export class CommitBatches {
  readonly #database: Database;
  readonly #keep: KeepFiles | undefined;
  #waiting: Waiting[] = [];
  #filesWaiting = 0;
  #running: Promise<void> | undefined;
  /** Ends the gathering. */
  #hurry = new AbortController();

  constructor(database: Database, keep?: KeepFiles) {
    this.#database = database;
    this.#keep = keep;
  }

  /**
   * Fulfilled when the part is durable. A part that fails leaves the others of its batch as they
   * are. Throws WorkspaceError for the disk.
   *
   * @param soon waits some milliseconds for other parts. Default: no
   */
  add(part: Part, soon = false): Promise<void> {
    const added = new Promise<void>((done, failed) => this.#waiting.push({ ...part, done, failed }));
    this.#filesWaiting += part.files.length;
    if (!soon || this.#filesWaiting >= MOST) this.#hurry.abort();
    this.#running ??= this.#run();
    return added;
  }

  /** Waits until so few files are open that one more may be staged. */
  async room(): Promise<void> {
    while (this.#filesWaiting >= MOST) await this.#running;
  }

  /** Fulfilled when no part waits, also after failures. */
  async idle(): Promise<void> {
    this.#hurry.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // An aborted timer only ends early.
      await pause(GATHERING, undefined, { signal: this.#hurry.signal }).catch(() => undefined);
      this.#hurry = new AbortController();
      const batch = this.#waiting;
      this.#waiting = [];
      this.#filesWaiting = 0;
      await this.#commit(batch);
    }
    this.#running = undefined;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const written = await filesWritten(batch, this.#keep);
    const noted = await this.#noted(written);
    for (const { done } of noted) done();
  }

  /** The parts whose rows are durable. */
  async #noted(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      await this.#database.durably(() => {
        for (const { rows } of batch) rows?.();
      });
      return batch;
    } catch (error) {
      if (batch.length > 1) return (await Promise.all(batch.map((part) => this.#noted([part])))).flat();
      for (const { failed } of batch) failed(error);
      return [];
    }
  }
}

/** The parts whose files are durable in their places. */
async function filesWritten(batch: readonly Waiting[], keep: KeepFiles | undefined): Promise<readonly Waiting[]> {
  const synced = await without(batch, (files) => eachDone(files.map(syncAndClose)));
  // A name counts as stored in later runs, so a file that is not kept gets none.
  const keeping = keep?.(synced.flatMap(({ files }) => files));
  const kept = keeping === undefined ? synced : await without(synced, () => keeping);
  const moved = await without(kept, (files) =>
    eachDone(files.map(({ temporary, file }) => renameInto(temporary, file))),
  );
  const folders = new Map<string, Promise<void>>();
  return without(moved, (files) => eachDone(files.map(({ file }) => syncOnce(dirname(file), folders))));
}

/** Those that `work` does not fail for; the files of the others are removed. */
async function without(
  parts: readonly Waiting[],
  work: (files: readonly StagedFile[]) => Promise<void>,
): Promise<readonly Waiting[]> {
  const kept = await Promise.all(parts.map((part) => hasDone(part, work)));
  return parts.filter((_part, at) => kept[at] === true);
}

async function hasDone(part: Waiting, work: (files: readonly StagedFile[]) => Promise<void>): Promise<boolean> {
  try {
    await work(part.files);
    return true;
  } catch (error) {
    for (const { temporary } of part.files) rmSync(temporary, { force: true });
    part.failed(storageError(error, `writing ${part.files.map(({ file }) => file).join(" and ")}`));
    return false;
  }
}

/** Waits for all, then throws the first failure: no file is in use when a part has failed. */
async function eachDone(works: readonly Promise<void>[]): Promise<void> {
  if (works.length > 1) await Promise.allSettled(works);
  await Promise.all(works);
}

async function syncAndClose({ descriptor }: StagedFile): Promise<void> {
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncOnce(folder: string, folders: Map<string, Promise<void>>): Promise<void> {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const syncing = syncFolder(folder);
  folders.set(folder, syncing);
  return syncing;
}

/** Throws WorkspaceError; then no file is left. */
export function stageText(layout: Layout, file: string, text: string): StagedFile {
  const temporary = temporaryFile(layout);
  let descriptor: number | undefined;
  try {
    descriptor = createPrivate(temporary);
    writeFileSync(descriptor, text);
    return { descriptor, temporary, file };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(temporary, { force: true });
    throw storageError(error, `writing ${file}`);
  }
}

/** Removes a file that no batch gets. */
export function discard({ descriptor, temporary }: Pick<StagedFile, "descriptor" | "temporary">): void {
  closeSync(descriptor);
  rmSync(temporary, { force: true });
}
