import type { Place } from "../format.js";
import type { ByteRange } from "./byte-range.js";
import { damage } from "./damage.js";

/** The same pieces; fails at the end when they are not as many as asked for. Throws ArchiveError (exit 6). */
export async function* checkedPart(
  pieces: AsyncIterable<Buffer>,
  { path, archive, size }: Place,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of pieces) {
    read += piece.length;
    yield piece;
  }
  if (read === end - start) return;
  throw damage(
    `${path} in ${archive} is damaged: of its ${size} bytes ${end - start} were asked for, and ${read} are there.`,
  );
}
