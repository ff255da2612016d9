import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { ArchiveError, EXIT } from "../../../errors.js";
import type { NewContent, OpenContent } from "./draft.js";

/** The bytes of a content are not those that its row says: nothing that holds them is written. */
export class ContentError extends ArchiveError {
  readonly content: NewContent;
  constructor(content: NewContent, found: string, cause?: unknown) {
    super(
      `${content.path} can't go into an archive: ${found}. Nothing was written. Run the same command again: what is damaged is read anew from the site.`,
      { exitCode: EXIT.stopped, ...(cause === undefined ? {} : { cause }) },
    );
    this.content = content;
  }
}

/** Contents up to this size are best given at once: a stream for each takes longer than its bytes. */
export const AT_ONCE = 1024 * 1024;

/**
 * The bytes of a content, small ones at once. Throws ContentError, or the stream fails with it, when they can't be had or are others than size and
 * sha256 say.
 */
export async function checkedContent(content: NewContent, open: OpenContent): Promise<Readable | Buffer> {
  if (content.size > AT_ONCE) return Readable.from(checked(content, open), { objectMode: false });
  const pieces: Buffer[] = [];
  for await (const piece of checked(content, open)) pieces.push(piece);
  const [only = Buffer.alloc(0)] = pieces;
  return pieces.length > 1 ? Buffer.concat(pieces) : only;
}

async function* checked(content: NewContent, open: OpenContent): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of await opened(content, open)) {
    size += piece.length;
    if (size > content.size)
      throw new ContentError(content, `it has more than the ${content.size} bytes that are expected`);
    hash.update(piece);
    yield piece;
  }
  if (size !== content.size) throw new ContentError(content, `it has ${size} bytes, and ${content.size} are expected`);
  const found = hash.digest("hex");
  if (found !== content.sha256)
    throw new ContentError(content, `its sha256 is ${found}, and ${content.sha256} is expected`);
}

async function opened(content: NewContent, open: OpenContent): Promise<AsyncIterable<Buffer> | Iterable<Buffer>> {
  try {
    const bytes = await open(content);
    return Buffer.isBuffer(bytes) ? [bytes] : failingAs(content, bytes);
  } catch (error) {
    throw contentError(content, error);
  }
}

async function* failingAs(content: NewContent, stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield Buffer.from(piece);
  } catch (error) {
    throw contentError(content, error);
  }
}

function contentError(content: NewContent, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return new ContentError(content, error.message, error);
}
