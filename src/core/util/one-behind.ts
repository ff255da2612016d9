/**
 * The same pieces, the last one only when the source has ended well: a content is checked at its end, and whoever gets fewer bytes than were announced knows that it is damaged.
 */
export async function* oneBehind(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const piece of pieces) {
    if (held !== undefined) yield held;
    held = piece;
  }
  if (held !== undefined) yield held;
}
