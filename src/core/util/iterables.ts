import { finished, type Readable } from "node:stream";
import { onAbort } from "./concurrency.js";

/** Walks two lists in key order: each row of the first, with that of the second with its key. */
export async function* sideBySide<T>(
  first: AsyncIterable<T>,
  second: AsyncIterable<T>,
  keyOf: (row: T) => string,
): AsyncGenerator<readonly [T, T | undefined]> {
  for await (const [one, other] of merged(first, second, keyOf)) if (one !== undefined) yield [one, other];
}

/** Walks two sorted lists at once: pairs with equal keys, and rows that only one of them has. */
export async function* merged<T>(
  first: AsyncIterable<T>,
  second: AsyncIterable<T>,
  keyOf: (row: T) => string,
): AsyncGenerator<readonly [T, T | undefined] | readonly [undefined, T]> {
  const others = second[Symbol.asyncIterator]();
  let other = await others.next();
  try {
    for await (const one of first) {
      const key = keyOf(one);
      while (other.done !== true && keyOf(other.value) < key) {
        yield [undefined, other.value];
        other = await others.next();
      }
      const isSame = other.done !== true && keyOf(other.value) === key;
      yield [one, isSame ? other.value : undefined];
      if (isSame) other = await others.next();
    }
    for (; other.done !== true; other = await others.next()) yield [undefined, other.value];
  } finally {
    await others.return?.();
  }
}

/**
 * The same pieces, the last one only after the source ended well: a receiver that knows the length
 * sees that damaged content is short.
 */
export async function* oneBehind(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const piece of pieces) {
    if (held !== undefined) yield held;
    held = piece;
  }
  if (held !== undefined) yield held;
}

/**
 * Gives each piece to `take`, in less time than an iteration, which waits for each. An error of
 * `take` or an abort destroys the stream. Throws that error, or that of the stream.
 */
export function readPieces(content: Readable, signal: AbortSignal, take: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => content.destroy(new Error("aborted")));
    finished(content, { writable: false }, (error) => {
      forget();
      if (error == null) resolve();
      else reject(error);
    });
    content.on("data", (piece: Buffer | string) => {
      try {
        // Some streams produce text.
        take(typeof piece === "string" ? Buffer.from(piece) : piece);
      } catch (error) {
        content.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    if (signal.aborted) content.destroy(new Error("aborted"));
  });
}
