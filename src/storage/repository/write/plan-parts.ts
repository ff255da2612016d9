/** Default of `--part-size`, in bytes of contents. */
export const PART_BYTES = 4_000_000_000;
/**
 * Contents of a part at most: what an archive's list of entries is made from stays in memory until
 * its end.
 */
export const PART_ENTRIES = 8_000;

/** The contents from `first` up to the next part's. */
export interface Part {
  /** The path of its first content; empty for the first part. */
  readonly first: string;
  readonly entries: number;
  /** Of the contents, unpacked. */
  readonly bytes: number;
}

/**
 * Divides contents, in their order, into parts (README.md, "An archive"). There is always at least
 * one, the last of them being the main archive.
 */
export async function planParts(
  contents: AsyncIterable<{ readonly path: string; readonly size: number }>,
  { bytes: mostBytes, entries: mostEntries }: { readonly bytes: number; readonly entries: number },
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let part: Part = { first: "", entries: 0, bytes: 0 };
  for await (const { path, size } of contents) {
    const isFull = part.entries > 0 && (part.entries >= mostEntries || part.bytes + size > mostBytes);
    if (isFull) parts.push(part);
    part = isFull
      ? { first: path, entries: 1, bytes: size }
      : { ...part, entries: part.entries + 1, bytes: part.bytes + size };
  }
  return [...parts, part];
}

/** The number of the part, from 0, that holds the content with this path. */
export function partOf(parts: readonly Part[], path: string): number {
  return parts.findLastIndex(({ first }) => first <= path);
}
