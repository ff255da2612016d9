import type { Extent } from "./check-headers.js";
import { ContentFault, contentOf } from "./content.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveFile } from "./random-access.js";

/**
 * Unpacks every content once, to nowhere. Left out: contents that share bytes, that are bombs by what they declare, or that can't be
 * unpacked; so it never unpacks more than the limits allow, and never reads a byte twice.
 */
export async function checkContents(
  file: ArchiveFile,
  extents: readonly Extent[],
  findings: FindingList,
): Promise<void> {
  if (findings.isUnreadable(null)) return;
  for (const extent of extents) {
    if (findings.isUnreadable(extent.entry)) continue;
    const fault = await faultOf(file, extent);
    if (fault !== undefined) findings.add(fault.code, extent.entry, fault.message);
  }
}

async function faultOf(file: ArchiveFile, extent: Extent): Promise<ContentFault | undefined> {
  const pieces = contentOf(file, extent);
  try {
    for (let step = await pieces.next(); step.done !== true; ) step = await pieces.next();
    return undefined;
  } catch (error) {
    if (error instanceof ContentFault) return error;
    throw error;
  }
}
