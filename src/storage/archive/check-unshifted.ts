import { checkContents } from "./check-contents.js";
import { checkHeaders } from "./check-headers.js";
import { checkLayout } from "./check-layout.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveLimits } from "./limits.js";
import { readLocalHeader } from "./local-header.js";
import type { ArchiveFile } from "./random-access.js";
import type { ListedEntry } from "./read-list.js";

/**
 * Bytes before an archive shift its places, and not every program takes that into account. Where headers stand at the places as they are written,
 * too, as in two archives one behind the other, those programs read other entries: what they would meet is told. Such an archive is refused.
 */
export async function checkUnshifted(
  list: EntryList,
  entries: readonly ListedEntry[],
  limits: ArchiveLimits,
  findings: FindingList,
  { readContents, signal }: { readonly readContents: boolean; readonly signal: AbortSignal | undefined },
): Promise<void> {
  if (list.prefix === 0) return;
  const file = list.file.startingAt(0);
  if (!(await hasHeader(file, entries))) return;
  const detail = `entries stand at their places counted from the file's beginning, and from byte ${list.prefix} on`;
  findings.add("E_ZIP_AMBIGUOUS", null, detail);
  const noted = findings.noting("counted from the file's beginning: ");
  const whole: EntryList = { ...list, file, prefix: 0, at: list.at + list.prefix, otherEnds: [] };
  const extents = await checkHeaders(whole, entries, noted);
  await checkLayout(whole, extents, "whole", limits, noted);
  if (readContents) await checkContents(file, extents, noted, { signal });
}

async function hasHeader(file: ArchiveFile, entries: readonly ListedEntry[]): Promise<boolean> {
  for (const { at } of entries) if (typeof (await readLocalHeader(file, at, at)) !== "string") return true;
  return false;
}
