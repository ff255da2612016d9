import { type ErrorFacts, EXIT, UsageError } from "../../../core/errors.js";

/** What the system says of a file, in words, and what to do. */
const TROUBLES: Readonly<Record<string, readonly [string, ErrorFacts]>> = {
  ENOENT: ["it is not there", { exitCode: EXIT.notFound }],
  ENOTDIR: ["a part of the path is a file where a folder is needed", { exitCode: EXIT.notFound }],
  EISDIR: ["it is a folder; name a file", {}],
  EACCES: ["the system refuses access; check the owner and mode of the file and its folder", {}],
  EPERM: ["the system refuses access; check the owner and mode of the file and its folder", {}],
  EROFS: ["the disk can only be read; name a file on another one", {}],
  ENAMETOOLONG: ["its name is too long", {}],
  ELOOP: ["its links lead in a circle", {}],
  ENOSPC: ["the disk is full; make room and run the command again", { exitCode: EXIT.stopped }],
  EDQUOT: ["the disk quota is reached; make room and run the command again", { exitCode: EXIT.stopped }],
  EIO: ["the disk reports an input/output error; check it and run the command again", { exitCode: EXIT.stopped }],
  ERR_FS_FILE_TOO_LARGE: ["it is larger than one text can be; with --ndjson there is no limit", {}],
  ERR_STRING_TOO_LONG: ["it is larger than one text can be; with --ndjson there is no limit", {}],
};

/** Turns a failure of a file into a UsageError that says what was being done (`reading /path/file`); others come back as they are. */
export function fileError(error: unknown, doing: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const trouble = TROUBLES[code];
  if (trouble === undefined) return error;
  const [what, facts] = trouble;
  return new UsageError(`While ${doing}: ${what}.`, { ...facts, cause: error });
}
