import { EXIT, type ExitCode, WorkspaceError } from "../core/errors.js";

/** What went wrong with the disk, in words, and what to do. */
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
  what: "the system refuses access, or the folder is not there",
  remedy: "Run as the user who owns the workspace, or correct owner and mode of the folder (0700) and its files (0600)",
  exitCode: EXIT.usage,
};
const READ_ONLY: Trouble = {
  what: "the disk, or the file on it, can only be read",
  remedy: "Make it writable, or copy the workspace to a disk that is and name the copy with --workspace",
  exitCode: EXIT.usage,
};
const BROKEN: Trouble = {
  what: "the disk reports an input/output error",
  remedy: "Check the disk and its connection, then run the same command again",
  exitCode: EXIT.stopped,
};
const GONE: Trouble = {
  what: "it is not there",
  remedy: "If the workspace was moved or cleaned up meanwhile, put it back; else run the extract again",
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
    "Restore the workspace from a copy. Of the workspace of a backup, `guideferry backup` sets the file aside and learns anew from the archives what it held. " +
    "A workspace that nothing was loaded from can be moved away and extracted anew; where something was, its ledger is in that file, and a load without it doubles content",
  exitCode: EXIT.differences,
};
const BUSY: Trouble = {
  what: "another process holds the file for too long",
  remedy: "Close whatever else has it open (a database browser, a copy that runs) and run the same command again",
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
  ["ENOENT", GONE],
  ["ENOTDIR", NO_FOLDER],
  ["EEXIST", NO_FOLDER],
  ["EMFILE", TOO_MANY],
  ["ENFILE", TOO_MANY],
  [11, DAMAGED],
  [26, DAMAGED],
  [BUSY_CODE, BUSY],
]);

/**
 * Turns a failure of the disk or of SQLite into a WorkspaceError that says what was being done
 * (`writing /path/file`). Anything else, a defect of ours above all, comes back as it is.
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

/**
 * SQLite's primary result code, or undefined for any other error; the upper bytes only tell the
 * variety.
 */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  // A query of several rows fails without it; what is left is SQLite's own text of the code.
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

/** Does another connection hold the file? Takes what `storageError` made. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error instanceof Error ? error.cause : undefined) === BUSY_CODE;
}

/** Is the file no database, or a broken one? Takes what `storageError` made. */
export function isDamaged(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && troubleOf(cause) === DAMAGED;
}
