import { ArchiveError, EXIT, type ExitCode, FerryError } from "../../core/errors.js";

interface Trouble {
  readonly what: string;
  readonly remedy: string;
  readonly exitCode: ExitCode;
}

const FULL: Trouble = {
  what: "the disk is full, or a quota or size limit is reached",
  remedy: "Make room and run the same command again",
  exitCode: EXIT.stopped,
};
const REFUSED: Trouble = {
  what: "the system refuses access",
  remedy: "Correct the owner and the mode of the file or folder, or use another path",
  exitCode: EXIT.usage,
};
const MISSING: Trouble = {
  what: "there is no such file or folder",
  remedy: "Check the path",
  exitCode: EXIT.notFound,
};
const IN_THE_WAY: Trouble = {
  what: "the path exists already, or a part of it is a file where a folder is needed",
  remedy: "Give another path, or remove the existing file or folder",
  exitCode: EXIT.usage,
};
const READ_ONLY: Trouble = {
  what: "the disk is read-only",
  remedy: "Use a path on a writable disk",
  exitCode: EXIT.usage,
};
const BROKEN: Trouble = {
  what: "the disk reports an input/output error",
  remedy: "Check the disk and its connection, then run the same command again",
  exitCode: EXIT.stopped,
};
const TOO_MANY: Trouble = {
  what: "too many files are open",
  remedy: "Raise the system's limit (ulimit -n) and run the same command again",
  exitCode: EXIT.stopped,
};

const NO_PLACE: Trouble = {
  what: "the path cannot be used: its links form a loop, or it is too long",
  remedy: "Check the path",
  exitCode: EXIT.usage,
};
const NO_FILE: Trouble = {
  what: "it is a socket or a device, not a file or folder",
  remedy: "Give the path of a file or folder",
  exitCode: EXIT.usage,
};

const TROUBLES: ReadonlyMap<string, Trouble> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EFBIG", FULL],
  ["EACCES", REFUSED],
  ["EPERM", REFUSED],
  ["ENOENT", MISSING],
  ["EEXIST", IN_THE_WAY],
  ["ENOTEMPTY", IN_THE_WAY],
  ["ENOTDIR", IN_THE_WAY],
  ["EISDIR", IN_THE_WAY],
  ["ELOOP", NO_PLACE],
  ["ENAMETOOLONG", NO_PLACE],
  ["ENXIO", NO_FILE],
  ["ENODEV", NO_FILE],
  ["EROFS", READ_ONLY],
  ["EIO", BROKEN],
  ["EMFILE", TOO_MANY],
  ["ENFILE", TOO_MANY],
]);

/** Waits for work on the disk. Throws ArchiveError when the disk fails, other errors unchanged. */
export async function onDisk<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw diskError(error, doing);
  }
}

/** Does the error come from the system or the decryption, not from the check of the bytes? */
export function isDiskFailure(error: unknown): boolean {
  return error instanceof FerryError || (error instanceof Error && "errno" in error);
}

/** An error of the disk as an ArchiveError; `doing`: `writing out.omanual`. Others unchanged. */
export function diskError(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const trouble = TROUBLES.get(error.code);
  if (trouble === undefined) return error;
  return new ArchiveError(`While ${doing}: ${trouble.what}. ${trouble.remedy}.`, {
    cause: error,
    exitCode: trouble.exitCode,
  });
}
