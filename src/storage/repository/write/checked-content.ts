import { createHash, hash } from "node:crypto";
import { Readable } from "node:stream";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import { diskError } from "../../archive/disk-error.js";
import { AT_ONCE } from "../../archive/write-archive.js";
import type { NewContent, OpenContent } from "./drafts.js";

/** The bytes of a content do not match its row, so the archive is not written. */
export class ContentError extends ArchiveError {
  readonly content: NewContent;
  constructor(content: NewContent, found: string, cause?: unknown) {
    super(
      `${content.path} cannot be written to an archive: ${found}. Nothing was written. Run the same command again: it reads damaged content from the site again.`,
      { exitCode: EXIT.stopped, ...(cause === undefined ? {} : { cause }) },
    );
    this.content = content;
  }
}

/**
 * The bytes of a content; small ones (up to `AT_ONCE`) as a Buffer, because a stream costs more
 * than the bytes. Throws ContentError, also from the stream, when they can't be read or do not
 * match. Without a promise where `open` gives none.
 */
export function checkedContent(content: NewContent, open: OpenContent): Promise<Readable | Buffer> | Buffer {
  const given = opened(content, open);
  return Buffer.isBuffer(given) ? checkedWhole(content, given) : checkedLater(content, given);
}

async function checkedLater(content: NewContent, given: Promise<Readable | Buffer>): Promise<Readable | Buffer> {
  const bytes = await given.catch((error: unknown) => {
    throw contentError(content, error);
  });
  if (Buffer.isBuffer(bytes)) return checkedWhole(content, bytes);
  const read = checked(content, failingAs(content, bytes));
  if (content.size > AT_ONCE) return Readable.from(read, { objectMode: false });
  const pieces: Buffer[] = [];
  for await (const piece of read) pieces.push(piece);
  const [only = Buffer.alloc(0)] = pieces;
  return pieces.length > 1 ? Buffer.concat(pieces) : only;
}

function checkedWhole(content: NewContent, bytes: Buffer): Buffer {
  if (bytes.length > content.size) throw tooLong(content);
  check(content, bytes.length, hash("sha256", bytes, "hex"));
  return bytes;
}

async function* checked(content: NewContent, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hashing = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > content.size) throw tooLong(content);
    hashing.update(piece);
    yield piece;
  }
  check(content, size, hashing.digest("hex"));
}

function tooLong(content: NewContent): ContentError {
  return new ContentError(content, `it has more than the expected ${content.size} bytes`);
}

function check(content: NewContent, size: number, sha256: string): void {
  if (size !== content.size) throw new ContentError(content, `it has ${size} bytes instead of ${content.size}`);
  if (sha256 !== content.sha256)
    throw new ContentError(content, `its sha256 is ${sha256} instead of ${content.sha256}`);
}

function opened(content: NewContent, open: OpenContent): ReturnType<OpenContent> {
  try {
    return open(content);
  } catch (error) {
    throw contentError(content, error);
  }
}

async function* failingAs(content: NewContent, stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
  } catch (error) {
    throw contentError(content, error);
  }
}

/** Errors of a process with too many open files; they are not errors of this content. */
const TOO_MANY_OPEN: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

function contentError(content: NewContent, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ("code" in error && TOO_MANY_OPEN.has(error.code)) return diskError(error, `reading ${content.path}`);
  return new ContentError(content, error.message, error);
}
