import type { ArchiveFile } from "./random-access.js";
import type { ListedEntry } from "./read-list.js";

/** APPNOTE 4.3.9: with or without its signature, sizes of 4 or of 8 bytes; nothing says which. */
const FORMS = [
  { signature: true, bytes: 4 },
  { signature: true, bytes: 8 },
  { signature: false, bytes: 4 },
  { signature: false, bytes: 8 },
] as const;
const SIGNATURE = 0x08074b50;
const LONGEST = 24;

/** How long the checksum and sizes behind a content are, in the form that says what the list says; undefined: none does.
 * Of an empty content all forms are zeros: the one counts that reaches to what comes `next`. */
export async function descriptorLength(
  file: ArchiveFile,
  at: number,
  entry: ListedEntry,
  next: number,
): Promise<number | undefined> {
  const bytes = await file.bytesAt(at, LONGEST);
  const forms = FORMS.filter(({ signature, bytes: width }) => {
    const expected = descriptor(entry, signature, width);
    return bytes.subarray(0, expected.length).equals(expected);
  });
  const lengths = forms.map(lengthOf);
  return lengths.find((length) => at + length === next) ?? lengths[0];
}

function lengthOf({ signature, bytes }: (typeof FORMS)[number]): number {
  return (signature ? 4 : 0) + 4 + 2 * bytes;
}

function descriptor(entry: ListedEntry, signature: boolean, width: 4 | 8): Buffer {
  const bytes = Buffer.alloc(LONGEST);
  let at = signature ? bytes.writeUInt32LE(SIGNATURE) : 0;
  at = bytes.writeUInt32LE(entry.crc32, at);
  for (const size of [entry.packedSize, entry.size]) {
    const whole = BigInt(size);
    at = width === 8 ? bytes.writeBigUInt64LE(whole, at) : bytes.writeUInt32LE(Number(whole & 0xffffffffn), at);
  }
  return bytes.subarray(0, at);
}
