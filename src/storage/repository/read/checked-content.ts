import { createHash } from "node:crypto";
import type { Place } from "../format.js";
import { damage } from "./damage.js";

/** The same pieces; fails at the end, or as soon as they are too many, when they are not those of the sha256. Throws ArchiveError (exit 6). */
export async function* checkedContent(pieces: AsyncIterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > place.size) throw wrong(place, `it has more than its ${place.size} bytes`);
    hash.update(piece);
    yield piece;
  }
  if (size < place.size) throw wrong(place, `it has ${size} of its ${place.size} bytes`);
  if (hash.digest("hex") !== place.sha256) throw wrong(place, "its sha256 is another");
}

function wrong({ path, archive, sha256 }: Place, what: string): Error {
  return damage(`${path} in ${archive} is damaged (sha256 ${sha256}): ${what}.`);
}
