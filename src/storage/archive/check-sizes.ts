import type { FindingList } from "./finding-list.js";
import type { ArchiveLimits } from "./limits.js";
import type { ListedEntry } from "./read-list.js";

/** Compares what the list of entries declares with the limits; that it tells the truth is seen when the contents are read. */
export function checkSizes(
  entries: readonly ListedEntry[],
  archiveBytes: number,
  limits: ArchiveLimits,
  findings: FindingList,
): void {
  for (const entry of entries) checkSize(entry, limits, findings);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  checkTotal(total, archiveBytes, limits, findings);
}

/** The size of one entry. */
export function checkSize(entry: ListedEntry, limits: ArchiveLimits, findings: FindingList): void {
  const { size, packedSize } = entry;
  if (size > limits.entryBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", entry, `it has ${size} bytes, the limit is ${limits.entryBytes}`);
  }
  if (size > limits.ratioFrom && size > limits.ratio * packedSize) {
    findings.add("E_ZIP_RATIO", entry, `${packedSize} bytes unpack to ${size}, the limit is ${limits.ratio} for 1`);
  }
}

/** The sizes of all entries together. */
export function checkTotal(total: number, archiveBytes: number, limits: ArchiveLimits, findings: FindingList): void {
  if (total > limits.totalBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", null, `it unpacks to ${total} bytes, the limit is ${limits.totalBytes}`);
  }
  if (total > limits.totalRatioFrom && total > limits.ratio * archiveBytes) {
    const detail = `its ${archiveBytes} bytes unpack to ${total}, the limit is ${limits.ratio} for 1`;
    findings.add("E_ZIP_RATIO", null, detail);
  }
}
