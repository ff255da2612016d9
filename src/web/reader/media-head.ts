import type { Medium } from "./library.js";
import { HEAD_BYTES } from "./media-type.js";

/** The bytes that tell what a medium is. Throws what opening it throws. */
export async function headOf({ size, open }: Medium): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await open({ start: 0, end: Math.min(HEAD_BYTES, size) })) pieces.push(piece);
  return Buffer.concat(pieces);
}
