import type { FindingList, Named } from "./finding-list.js";

interface NamedEntry extends Named {
  /** The path before NFC. */
  readonly spelling: string;
  readonly isFolder: boolean;
}

/**
 * Finds entries that would fall on each other: with the same name, or where the file system takes names for one that differ in
 * case, Unicode form, or dots and spaces at a segment's end; and files that other entries use as a folder.
 */
export function checkNames(entries: readonly NamedEntry[], findings: FindingList): void {
  const seen = new Map<string, NamedEntry>();
  for (const entry of entries) {
    const fold = foldOf(entry.path);
    const other = seen.get(fold);
    if (other === undefined) seen.set(fold, entry);
    else if (other.spelling === entry.spelling && other.isFolder === entry.isFolder) {
      findings.add("E_ZIP_DUPLICATE_NAME", entry, "another entry has the same name");
    } else findings.add("E_ZIP_NAME_COLLISION", entry, `it is one with "${other.path}" on some systems`);
  }
  for (const entry of filesUsedAsFolders(seen)) {
    findings.add("E_ZIP_NAME_COLLISION", entry, "it is a file, and a folder of other entries");
  }
}

/** What lies below a name stands together in the order of names, so that each file takes one look. */
function filesUsedAsFolders(seen: ReadonlyMap<string, NamedEntry>): readonly NamedEntry[] {
  const ordered = [...seen.keys()].sort();
  return [...seen].flatMap(([fold, entry]) => {
    if (entry.isFolder) return [];
    const below = `${fold}/`;
    return ordered[firstFrom(below, ordered)]?.startsWith(below) === true ? [entry] : [];
  });
}

/** Where in an ordered list the first text is that comes not before another. */
function firstFrom(text: string, ordered: readonly string[]): number {
  let from = 0;
  let to = ordered.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ordered[middle] ?? "") < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Upper case first: it also joins what lower case alone keeps apart (ß and SS, the three sigmas). */
function foldOf(path: string): string {
  const folded = path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  return folded.replace(/[. ]+(?=\/|$)/g, "");
}
