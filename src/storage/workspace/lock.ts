import { existsSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { z } from "zod";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { Database } from "../sqlite.js";
import { isBusy, storageError } from "../storage-error.js";

/** The process that holds a lock; for messages only. */
const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  command: z.string(),
  /** ISO time. */
  since: z.string(),
});
export type Holder = Readonly<z.infer<typeof holderSchema>>;

/** Files can be created in the folder, but not renamed or removed, so no write can be completed. */
export class AppendOnlyError extends WorkspaceError {
  constructor(folder: string, cause: unknown) {
    super(
      `Files in ${folder} cannot be renamed or removed: the folder is append-only, or the disk forbids it. guideferry writes files under temporary names and renames them, so it ` +
        `cannot use this folder. Nothing was done. Check the attributes with \`lsattr -d ${folder}\` and clear them with \`chattr -a ${folder}\`, or use another folder.`,
      { cause, exitCode: EXIT.usage },
    );
  }
}

export interface Lock {
  /** May be called twice. */
  release(): void;
}

/** Milliseconds to wait for a check by `status`, which locks the file for an instant. */
const PROBE_TAKES = 500;
const UNKNOWN_HOLDER: Holder = { pid: 0, host: "unknown", command: "unknown", since: "unknown" };

/**
 * Takes the lock, or returns its holder. The operating system releases it when the process ends. It
 * is a lock of SQLite, since Node has no file locks, and the mere existence of a file would outlive
 * a killed process. Throws WorkspaceError when it can't write, AppendOnlyError when it can't
 * remove.
 */
export function takeLock(file: string, command: string): { readonly lock: Lock } | { readonly heldBy: Holder } {
  const database = new Database(file, { timeout: PROBE_TAKES });
  try {
    // Nothing is ever written; a journal file of a killed run would only disturb the next one.
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

/** The holder of the lock; undefined: none. It never waits and never takes the lock. */
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
    // The file is for messages only, and a prune must be able to work on a full disk.
    if (!(trouble instanceof WorkspaceError && trouble.exitCode === EXIT.stopped)) throw trouble;
  }
}

/** Removes the file. So an append-only folder is found before any work is done. */
function refuseAppendOnly(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    const isRefused = error instanceof Error && "code" in error && error.code === "EPERM";
    throw isRefused ? new AppendOnlyError(dirname(file), error) : error;
  }
}

/** An incomplete or missing file only makes the message less exact. */
function readHolder(file: string): Holder {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderFile(file), "utf8")));
  } catch {
    return UNKNOWN_HOLDER;
  }
}
