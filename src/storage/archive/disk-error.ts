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
  remedy: "Correct owner and mode of the file or folder, or use another place",
  exitCode: EXIT.usage,
};
const GONE: Trouble = {
  what: "there is no such file or folder",
  remedy: "Check the path",
  exitCode: EXIT.notFound,
};
const IN_THE_WAY: Trouble = {
  what: "something is there already, or a file stands where a folder is needed",
  remedy: "Give another path, or remove what is there",
  exitCode: EXIT.usage,
};
const READ_ONLY: Trouble = {
  what: "the disk can only be read",
  remedy: "Use a place that can be written",
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
  what: "no file can be there: a link leads round in a circle, or the path is too long",
  remedy: "Check the path",
  exitCode: EXIT.usage,
};
const NO_FILE: Trouble = {
  what: "it is no plain file or folder but a socket or a device",
  remedy: "Give the path of a file or folder",
  exitCode: EXIT.usage,
};

const TROUBLES: ReadonlyMap<string, Trouble> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EFBIG", FULL],
  ["EACCES", REFUSED],
  ["EPERM", REFUSED],
  ["ENOENT", GONE],
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

/**
 * Waits for work on the disk. Throws ArchiveError when the disk fails, and anything else as it is.
 */
export async function onDisk<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw diskError(error, doing);
  }
}

/** Did the system refuse, or whoever decrypts the bytes, and not somebody who judges them? */
export function isDiskFailure(error: unknown): boolean {
  return error instanceof FerryError || (error instanceof Error && "errno" in error);
}

/**
 * A failure of the disk as an ArchiveError that says what was being done (`writing out.omanual`);
 * anything else comes back as it is.
 */
export function diskError(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const trouble = TROUBLES.get(error.code);
  if (trouble === undefined) return error;
  return new ArchiveError(`While ${doing}: ${trouble.what}. ${trouble.remedy}.`, {
    cause: error,
    exitCode: trouble.exitCode,
  });
}
