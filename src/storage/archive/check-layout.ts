import type { Extent } from "./check-headers.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveLimits } from "./limits.js";
import type { ArchiveFile } from "./random-access.js";
import type { ListEnd } from "./read-list.js";

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Looks at the archive as a whole: does every byte before the list of entries belong to one entry, and to one only? What the list
 * does not name because it is encrypted is not looked for. */
export async function checkLayout(
  list: EntryList,
  extents: readonly Extent[],
  ended: ListEnd,
  limits: ArchiveLimits,
  findings: FindingList,
): Promise<void> {
  checkOverlaps(list, extents, findings);
  const other = list.otherEnds.find((at) => at >= list.at || !isContent(at, extents));
  if (other !== undefined) {
    findings.add("E_ZIP_AMBIGUOUS", null, `another end record stands at byte ${other + list.prefix}`);
  }
  if (ended === "encrypted") return;
  const stray = strayStretches(list, extents);
  tellStray(list, stray, findings);
  const bytes = stray.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes > limits.strayBytes) {
    if (ended === "damaged") return;
    const detail = `${bytes} of its bytes belong to no entry, too many to look for hidden ones in them`;
    findings.add("E_ZIP_AMBIGUOUS", null, detail);
    return;
  }
  for (const stretch of stray) {
    const at = await hiddenEntryIn(list.file, stretch);
    if (at === undefined) continue;
    findings.add("E_ZIP_AMBIGUOUS", null, `an entry that the list does not name stands at byte ${at + list.prefix}`);
  }
}

/** An archive inside of this one has an end record too. */
function isContent(at: number, extents: readonly Extent[]): boolean {
  return extents.some(({ contentAt, contentEnd }) => at >= contentAt && at < contentEnd);
}

function checkOverlaps(list: EntryList, extents: readonly Extent[], findings: FindingList): void {
  let last: Extent | undefined;
  for (const extent of extents) {
    if (last !== undefined && extent.at < last.end) {
      const shared = [extent.entry, last.entry] as const;
      findings.add("E_ZIP_OVERLAP", shared[0], `it shares bytes with "${shared[1].path}"`);
      findings.add("E_ZIP_OVERLAP", shared[1], `it shares bytes with "${shared[0].path}"`);
    }
    if (extent.end > list.at) {
      findings.add("E_ZIP_OVERLAP", extent.entry, "it runs into the list of entries");
      findings.add("E_ZIP_CORRUPT", extent.entry, "by its size it ends behind the place where the list begins");
    }
    if (last === undefined || extent.end > last.end) last = extent;
  }
}

/** The bytes that no entry accounts for; the first stretch begins at the start of the file, before the archive's own. */
function strayStretches(list: EntryList, extents: readonly Extent[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let reached = -list.prefix;
  for (const { at, end } of extents) {
    if (at > reached) stretches.push({ from: reached, to: at });
    reached = Math.max(reached, end);
  }
  if (list.at > reached) stretches.push({ from: reached, to: list.at });
  return stretches;
}

function tellStray(list: EntryList, stray: readonly Stretch[], findings: FindingList): void {
  const [first] = stray;
  const hasPrefix = first !== undefined && first.from === -list.prefix;
  if (hasPrefix) findings.add("W_ZIP_PREFIX_DATA", null, `${first.to - first.from} bytes stand before its first entry`);
  const rest = hasPrefix ? stray.slice(1) : stray;
  const bytes = rest.reduce((sum, { from, to }) => sum + to - from, 0);
  if (rest.length > 0) findings.add("W_ZIP_GAP", null, `${bytes} unused bytes stand between its entries`);
}

const ENTRY_HEADER = Buffer.from("PK\x03\x04", "latin1");
const HEADER_LENGTH = 30;
const METHODS: ReadonlySet<number> = new Set([0, 8, 9, 12, 14, 93, 95, 99]);

/** Where in unused bytes a whole header of an entry stands; programs that look for headers would unpack it. */
async function hiddenEntryIn(file: ArchiveFile, { from, to }: Stretch): Promise<number | undefined> {
  const bytes = await file.bytesAt(from, to - from);
  for (let at = bytes.indexOf(ENTRY_HEADER); at >= 0; at = bytes.indexOf(ENTRY_HEADER, at + 1)) {
    if (at + HEADER_LENGTH > bytes.length) return undefined;
    const nameLength = bytes.readUInt16LE(at + 26);
    const isHeader = METHODS.has(bytes.readUInt16LE(at + 8)) && nameLength > 0;
    if (isHeader && at + HEADER_LENGTH + nameLength <= bytes.length) return from + at;
  }
  return undefined;
}
