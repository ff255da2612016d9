import { createReadStream } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { fileError } from "./file-error.js";

/**
 * The bytes of a file, or of `stdin` when no file is named, as they come. Throws UsageError when the file can't be read (exit code
 * 10 when it is not there), and the signal's reason when that is aborted.
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
