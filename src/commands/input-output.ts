import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { type ErrorFacts, EXIT, UsageError } from "../core/errors.js";

/**
 * The bytes of a file, or of stdin without a file. Throws UsageError if the file cannot be read
 * (exit code 10 if it is missing), and the signal's reason when it is aborted.
 */
export async function* readInput(
  file: string | undefined,
  stdin: () => Readable,
  stop: AbortSignal,
): AsyncGenerator<Buffer> {
  const stream = addAbortSignal(stop, file === undefined ? stdin() : createReadStream(file));
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    stop.throwIfAborted();
    throw fileError(error, `reading ${file ?? "stdin"}`);
  }
}

/**
 * The text of UTF-8 bytes, with a byte order mark as a character. Throws UsageError for other
 * bytes, with the place of the first wrong one: replacement characters would become content.
 */
export function decodeText(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const at = firstWrong(bytes);
  const line = bytes.subarray(0, at).reduce((lines, byte) => (byte === LINE_END ? lines + 1 : lines), 1);
  const value = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const place = line > 1 ? `, in line ${line}` : "";
  throw new UsageError(`${name} is not UTF-8: byte ${at} (counted from 0${place}) is 0x${value}. ${remedyFor(bytes)}`);
}

const LINE_END = 0x0a;

/** Decoding replaces wrong bytes by a character of three bytes: there the bytes differ. */
function firstWrong(bytes: Buffer): number {
  const readable = Buffer.from(bytes.toString("utf8"), "utf8");
  return bytes.findIndex((byte, at) => byte !== readable[at]);
}

function remedyFor(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff") return "It starts like UTF-16. Save it as UTF-8.";
  return "Save it as UTF-8, or convert it, for example with `iconv -f WINDOWS-1252 -t UTF-8`.";
}

/** Bytes as lines, without line ends; holds one line at a time. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Joined at the line end: joining with each chunk takes squared time for a long line.
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

const temporaryName = (): string => `.guideferry-${randomUUID()}`;

/**
 * Writes texts to a file, whole or not at all: under another name, synced, renamed. An existing
 * file keeps its mode, and a link its target. Throws UsageError if the file cannot be written, and
 * what the texts throw; then nothing is left.
 */
export async function writeFileWhole(file: string, texts: AsyncIterable<string>): Promise<void> {
  const doing = `writing ${file}`;
  const before = await statOf(file, doing);
  const goal = before === undefined ? file : await realpath(file);
  const temporary = join(dirname(goal), temporaryName());
  const handle = await open(temporary, "wx").catch((error: unknown) => {
    throw fileError(inFolder(error, file), doing);
  });
  try {
    await fill(handle, texts, doing, before);
    await rename(temporary, goal);
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileError(error, doing);
  }
}

/** Throws UsageError if the output is not a file, or is the input. */
export async function refuseOutput(file: string, input: string | undefined): Promise<void> {
  const output = await statOf(file, `writing ${file}`);
  if (OPEN_FILE.test(resolve(file)))
    throw new UsageError(`To write to ${file}, leave out --output and redirect stdout.`);
  if (output === undefined) return;
  if (output.isDirectory()) throw new UsageError(`${file} is a folder. Name a file with --output.`);
  if (!output.isFile())
    throw new UsageError(`${file} is not a regular file. Without --output the text goes to stdout.`);
  const read = input === undefined ? undefined : await statOf(input, `reading ${input}`);
  if (read !== undefined && read.dev === output.dev && read.ino === output.ino) {
    throw new UsageError(`${file} is the input file. Name another file for the output.`);
  }
}

/** Names of open files, which must not be replaced. */
const OPEN_FILE = /^\/(?:dev\/(?:std|fd\/)|proc\/)/;

async function fill(
  handle: FileHandle,
  texts: AsyncIterable<string>,
  doing: string,
  before: Stats | undefined,
): Promise<void> {
  try {
    if (before !== undefined) await handle.chmod(before.mode);
    for await (const text of texts) {
      await handle.appendFile(text).catch((error: unknown) => {
        throw fileError(error, doing);
      });
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function statOf(file: string, doing: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw fileError(error, doing);
  }
}

function inFolder(error: unknown, file: string): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return error;
  return new UsageError(
    `${file} cannot be written, because the folder ${dirname(file)} does not exist. Create it, or name another file.`,
    {
      cause: error,
    },
  );
}

/**
 * Writes texts to a stream, one after the other. Ends without an error if the reader ends
 * (`| head`). Throws any other error of the stream, and what the texts throw.
 */
export async function writeStream(stream: NodeJS.WritableStream, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    if (text !== "" && !(await write(stream, text))) return;
  }
}

function write(stream: NodeJS.WritableStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve(true);
      else if ("code" in error && error.code === "EPIPE") resolve(false);
      else reject(error);
    });
  });
}

const TROUBLES: Readonly<Record<string, readonly [string, ErrorFacts]>> = {
  ENOENT: ["it does not exist", { exitCode: EXIT.notFound }],
  ENOTDIR: ["a part of the path is a file instead of a folder", { exitCode: EXIT.notFound }],
  EISDIR: ["it is a folder; name a file", {}],
  EACCES: ["the system refuses access; check the owner and mode of the file and its folder", {}],
  EPERM: ["the system refuses access; check the owner and mode of the file and its folder", {}],
  EROFS: ["the disk is read-only; name a file on another disk", {}],
  ENAMETOOLONG: ["its name is too long", {}],
  ELOOP: ["its links form a loop", {}],
  ENOSPC: ["the disk is full; free space and run the command again", { exitCode: EXIT.stopped }],
  EDQUOT: ["the disk quota is reached; free space and run the command again", { exitCode: EXIT.stopped }],
  EIO: ["the disk reports an input/output error; check it and run the command again", { exitCode: EXIT.stopped }],
  ERR_FS_FILE_TOO_LARGE: ["it is too large for one text; with --ndjson there is no limit", {}],
  ERR_STRING_TOO_LONG: ["it is too large for one text; with --ndjson there is no limit", {}],
};

/** A UsageError for a failure of a file, with the action (`reading /path/file`); others as is. */
function fileError(error: unknown, doing: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const trouble = TROUBLES[code];
  if (trouble === undefined) return error;
  const [what, facts] = trouble;
  return new UsageError(`While ${doing}: ${what}.`, { ...facts, cause: error });
}
