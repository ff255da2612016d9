import { existsSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { z } from "zod";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { Database } from "../sqlite.js";
import { isBusy, storageError } from "../storage-error.js";

/** Who holds a lock; for messages, the lock itself is the system's. */
const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  command: z.string(),
  /** ISO time. */
  since: z.string(),
});
export type Holder = Readonly<z.infer<typeof holderSchema>>;

/** A folder in which files can be made, and not renamed or removed: no work in it can be ended. */
export class AppendOnlyError extends WorkspaceError {
  constructor(folder: string, cause: unknown) {
    super(
      `Files can be added to ${folder}, and not renamed or removed: the folder is append-only, or the disk forbids it. guideferry writes under temporary names and renames, so it ` +
        `can't work there, and nothing was done. Look with \`lsattr -d ${folder}\` and take the attribute away with \`chattr -a ${folder}\`, or name another folder.`,
      { cause, exitCode: EXIT.usage },
    );
  }
}

export interface Lock {
  /** May be called twice. */
  release(): void;
}

/**
 * Milliseconds: long enough for a probe of `status` to end, which holds the file for an instant.
 */
const PROBE_TAKES = 500;
const NOBODY_KNOWN: Holder = { pid: 0, host: "unknown", command: "unknown", since: "unknown" };

/**
 * Takes the lock, or tells who has it. The operating system drops it when the process ends, however
 * it ends. It is SQLite's, since Node itself has no file locks and a file that merely exists
 * outlives a killed process. Throws WorkspaceError where nothing can be written, AppendOnlyError
 * where nothing can be removed.
 */
export function takeLock(file: string, command: string): { readonly lock: Lock } | { readonly heldBy: Holder } {
  const database = new Database(file, { timeout: PROBE_TAKES });
  try {
    // In memory: nothing is ever written, and a journal file of a killed run would have to be
    // understood by the next one.
    database.execute("PRAGMA journal_mode=MEMORY");
    database.execute("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return { heldBy: readHolder(file) };
    throw error;
  }
  try {
    writeHolder(file, command);
  } catch (error) {
    database.close();
    throw error;
  }
  return { lock: releasable(database, file) };
}

/** Who holds the lock now; undefined when nobody does. Never waits and never takes it. */
export function lockHolder(file: string): Holder | undefined {
  if (!existsSync(file)) return undefined;
  const database = new Database(file, { readOnly: true, timeout: 0 });
  try {
    database.execute("SELECT count(*) FROM sqlite_master");
    return undefined;
  } catch (error) {
    if (isBusy(error)) return readHolder(file);
    throw error;
  } finally {
    database.close();
  }
}

/** "process 4711 on workshop, `guideferry load`, since 2026-…" */
export function describeHolder(holder: Holder): string {
  return `process ${holder.pid} on ${holder.host}, \`${holder.command}\`, since ${holder.since}`;
}

function releasable(database: Database, file: string): Lock {
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    rmSync(holderFile(file), { force: true });
    database.close();
  };
  return { release };
}

function holderFile(file: string): string {
  return `${file}.json`;
}

function writeHolder(file: string, command: string): void {
  const holder: Holder = { pid: process.pid, host: hostname(), command, since: new Date().toISOString() };
  const write = (): void => writeFileSync(holderFile(file), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  try {
    write();
    refuseAppendOnly(holderFile(file));
    write();
  } catch (error) {
    if (error instanceof AppendOnlyError) throw error;
    const trouble = storageError(error, `writing ${holderFile(file)}`);
    // The note is for messages only, and a prune must be able to free a full disk.
    if (!(trouble instanceof WorkspaceError && trouble.exitCode === EXIT.stopped)) throw trouble;
  }
}

/**
 * Takes the file away. Found out here, before any work, and not when that work is to be renamed
 * into its place.
 */
function refuseAppendOnly(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    const isRefused = error instanceof Error && "code" in error && error.code === "EPERM";
    throw isRefused ? new AppendOnlyError(dirname(file), error) : error;
  }
}

/**
 * The lock counts, not the note: one that is just being written or taken away, or is damaged, only
 * makes the message poorer.
 */
function readHolder(file: string): Holder {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderFile(file), "utf8")));
  } catch {
    return NOBODY_KNOWN;
  }
}
