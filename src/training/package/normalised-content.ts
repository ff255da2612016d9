import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { NewEntry } from "../../storage/archive/write-archive.js";
import { ArchiveError } from "../../core/errors.js";
import type { Files } from "../../core/formats.js";
import type { NormalisedFile } from "./normalised-files.js";

/** Up to this size a content is handed over whole: a stream of its own takes longer than packing it. */
const AT_ONCE = 256 * 1024;

/** The entries to write, each read when its turn comes. Throws ArchiveError where a content is not what the digest was taken of. */
export async function* entriesOf(
  files: Files,
  normalised: readonly NormalisedFile[],
  signal: AbortSignal,
): AsyncGenerator<NewEntry> {
  for (const file of normalised) {
    signal.throwIfAborted();
    yield { path: file.path, content: await contentOf(files, file) };
  }
}

async function contentOf(files: Files, file: NormalisedFile): Promise<Readable | Buffer> {
  const { from, size } = file;
  if ("rewritten" in from) return from.rewritten;
  const pieces = unchanged(files, from.original, file.sha256);
  if (size > AT_ONCE) return Readable.from(pieces, { objectMode: false });
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  return Buffer.concat(held);
}

/** Somebody may write to the file while it is read; what is sent is what was judged, or nothing. */
async function* unchanged(files: Files, path: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) {
    const bytes: Buffer = piece;
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest("hex") === sha256) return;
  throw new ArchiveError(
    `${files.name}: "${path}" was changed while the package was read. Wait until nobody writes there, then run the same command again.`,
  );
}
