import { EXIT, type ExitCode, WorkspaceError } from "../core/errors.js";

interface Trouble {
  readonly what: string;
  readonly remedy: string;
  readonly exitCode: ExitCode;
}

const FULL: Trouble = {
  what: "the disk is full, or a quota or size limit is reached",
  remedy: "Make room and run the same command again; everything done so far is kept",
  exitCode: EXIT.stopped,
};
const REFUSED: Trouble = {
  what: "the system refuses access, or the folder does not exist",
  remedy:
    "Run the command as the user who owns the workspace, or correct the owner and the mode of the folder (0700) and its files (0600)",
  exitCode: EXIT.usage,
};
const READ_ONLY: Trouble = {
  what: "the disk or the file is read-only",
  remedy: "Make it writable, or copy the workspace to a writable disk and give the copy with --workspace",
  exitCode: EXIT.usage,
};
const BROKEN: Trouble = {
  what: "the disk reports an input/output error",
  remedy: "Check the disk and its connection, then run the same command again",
  exitCode: EXIT.stopped,
};
const MISSING: Trouble = {
  what: "it does not exist",
  remedy: "If the workspace was moved or cleaned up during the run, restore it. Otherwise run the extract again",
  exitCode: EXIT.notFound,
};
const NO_FOLDER: Trouble = {
  what: "a part of the path is a file where a folder is needed",
  remedy: "Give the path of a folder",
  exitCode: EXIT.usage,
};
const TOO_MANY: Trouble = {
  what: "too many files are open",
  remedy: "Use a smaller --concurrency, or raise the system's limit (ulimit -n), and run the same command again",
  exitCode: EXIT.stopped,
};
const DAMAGED: Trouble = {
  what: "the file is damaged",
  remedy:
    "Restore the workspace from a copy. In the workspace of a backup, `guideferry backup` renames the damaged file and restores its content from the archives. " +
    "If nothing was loaded from this workspace, move it away and extract again. If something was loaded, the file holds the ledger, and a load without the ledger duplicates content",
  exitCode: EXIT.differences,
};
const BUSY: Trouble = {
  what: "another process locks the file for too long",
  remedy: "Close the other programs that use it (a database browser, a running copy) and run the same command again",
  exitCode: EXIT.locked,
};

const BUSY_CODE = 5;

/** By Node's error code (text) or SQLite's primary result code (number). */
const TROUBLES: ReadonlyMap<string | number, Trouble> = new Map<string | number, Trouble>([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EFBIG", FULL],
  [13, FULL],
  ["EACCES", REFUSED],
  ["EPERM", REFUSED],
  ["EROFS", READ_ONLY],
  [8, READ_ONLY],
  [14, REFUSED],
  ["EIO", BROKEN],
  [10, BROKEN],
  ["ENOENT", MISSING],
  ["ENOTDIR", NO_FOLDER],
  ["EEXIST", NO_FOLDER],
  ["EMFILE", TOO_MANY],
  ["ENFILE", TOO_MANY],
  [11, DAMAGED],
  [26, DAMAGED],
  [BUSY_CODE, BUSY],
]);

/**
 * An error of the disk or of SQLite as a WorkspaceError; `doing`: `writing /path/file`. Other
 * errors, such as defects of guideferry, are returned unchanged.
 */
export function storageError(error: unknown, doing: string): unknown {
  const trouble = troubleOf(error);
  if (trouble === undefined) return error;
  return new WorkspaceError(`While ${doing}: ${trouble.what}. ${trouble.remedy}.`, {
    cause: error,
    exitCode: trouble.exitCode,
  });
}

function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return TROUBLES.get(sqlite);
  return "code" in error && typeof error.code === "string" ? TROUBLES.get(error.code) : undefined;
}

/** SQLite's primary result code (the lowest byte), or undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  // The error of a query of several rows lacks the code; it only has SQLite's text of the code.
  return "code" in error && error.code === "ERR_SQLITE_ERROR" ? CODES.get(error.message) : undefined;
}

/** The texts of sqlite3_errstr, https://sqlite.org/rescode.html. */
const CODES: ReadonlyMap<string, number> = new Map([
  ["database is locked", BUSY_CODE],
  ["attempt to write a readonly database", 8],
  ["disk I/O error", 10],
  ["database disk image is malformed", 11],
  ["database or disk is full", 13],
  ["unable to open database file", 14],
  ["file is not a database", 26],
]);

/** Does another connection lock the file? Takes an error of `storageError`. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error instanceof Error ? error.cause : undefined) === BUSY_CODE;
}

/** Is the file not a database, or a damaged one? Takes an error of `storageError`. */
export function isDamaged(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && troubleOf(cause) === DAMAGED;
}
