import { createHash } from "node:crypto";
import type { Extent } from "./check-headers.js";
import { ContentFault, contentAtOnce, contentOf, isSmall } from "./content.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveFile } from "./random-access.js";
import { ReadAhead } from "./read-ahead.js";

/** What else is done with each content. */
export interface ReadWith {
  /** Takes the sha256 of each content by its path. */
  readonly digests?: Map<string, string> | undefined;
  /** Its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Of a large content that is not packed. */
const PIECE = 256 * 1024;

/**
 * Unpacks every content once, to nowhere. Left out: contents that share bytes, that are bombs by what they declare, or that can't be
 * unpacked; so it never unpacks more than the limits allow, and never reads a content twice.
 */
export async function checkContents(
  file: ArchiveFile,
  extents: readonly Extent[],
  findings: FindingList,
  { digests, signal }: ReadWith = {},
): Promise<void> {
  if (findings.isUnreadable(null)) return;
  const ahead = new ReadAhead(file, extents);
  let memory: Buffer | undefined;
  for (const [index, extent] of extents.entries()) {
    const { entry } = extent;
    if (findings.isUnreadable(entry)) continue;
    const hash = digests === undefined ? undefined : createHash("sha256");
    try {
      if (isSmall(entry)) {
        signal?.throwIfAborted();
        const content = contentAtOnce(await ahead.contentOf(index), entry);
        hash?.update(content);
      } else {
        memory ??= Buffer.allocUnsafe(PIECE);
        for await (const piece of contentOf(file, extent, memory)) {
          signal?.throwIfAborted();
          hash?.update(piece);
        }
      }
      if (hash !== undefined) digests?.set(entry.path, hash.digest("hex"));
    } catch (error) {
      if (!(error instanceof ContentFault)) throw error;
      for (const { code, message } of [error, ...error.others]) findings.add(code, entry, message);
    }
  }
}
