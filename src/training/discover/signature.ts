import { readAtOnce } from "../../core/util/read-at-once.js";

/** Does a file begin as zip archives do: with an entry, with the end of an empty one, or as the first of several parts? Throws what the system says. */
export function beginsAsZip(path: string): boolean {
  return isZipSignature(readAtOnce(path, 3));
}

export function isZipSignature(bytes: Uint8Array): boolean {
  const [p, k, third, fourth] = bytes;
  return p === 0x50 && k === 0x4b && third !== undefined && fourth === third + 1 && SECTIONS.has(third);
}

/** Local header, end of central directory, spanning marker: 3 4, 5 6, 7 8. */
const SECTIONS: ReadonlySet<number> = new Set([3, 5, 7]);
