import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../../../core/errors.js";
import { fileError } from "./file-error.js";

/** A name in the folder of a file that is going to be written, which nobody else uses. */
const temporaryName = (): string => `.guideferry-${randomUUID()}`;

/**
 * Writes texts to a file, whole or not at all: under another name, synced, renamed. A file that is there keeps its mode, and a
 * link leads where it did. Throws UsageError when the file can't be written, and what the texts throw; then nothing is left.
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

/** Throws UsageError when the file to write is no file, or is the one that is read. */
export async function refuseOutput(file: string, input: string | undefined): Promise<void> {
  const output = await statOf(file, `writing ${file}`);
  if (OPEN_FILE.test(resolve(file)))
    throw new UsageError(`To write to ${file}, leave out --output and redirect stdout.`);
  if (output === undefined) return;
  if (output.isDirectory()) throw new UsageError(`${file} is a folder; --output takes the name of a file.`);
  if (!output.isFile()) throw new UsageError(`${file} is no ordinary file. Without --output the text goes to stdout.`);
  const read = input === undefined ? undefined : await statOf(input, `reading ${input}`);
  if (read !== undefined && read.dev === output.dev && read.ino === output.ino) {
    throw new UsageError(
      `${file} is the file that is read. Give the converted text another name, so that none is lost.`,
    );
  }
}

/** Names of files that are open here: what is behind them must not be replaced under the hands of who opened it. */
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

/** The new file can't be missing itself: its folder is. */
function inFolder(error: unknown, file: string): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return error;
  return new UsageError(`There is no folder ${dirname(file)} to write ${file} into. Make it, or name another file.`, {
    cause: error,
  });
}
