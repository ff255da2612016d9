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
    const other = seen.get(foldOf(entry.path));
    if (other === undefined) seen.set(foldOf(entry.path), entry);
    else if (other.spelling === entry.spelling && other.isFolder === entry.isFolder) {
      findings.add("E_ZIP_DUPLICATE_NAME", entry, "another entry has the same name");
    } else findings.add("E_ZIP_NAME_COLLISION", entry, `it is one with "${other.path}" on some systems`);
  }
  for (const entry of filesUsedAsFolders(entries, seen)) {
    findings.add("E_ZIP_NAME_COLLISION", entry, "it is a file, and a folder of other entries");
  }
}

function filesUsedAsFolders(
  entries: readonly NamedEntry[],
  seen: ReadonlyMap<string, NamedEntry>,
): ReadonlySet<NamedEntry> {
  const found = new Set<NamedEntry>();
  for (const { path } of entries) {
    const fold = foldOf(path);
    for (let at = fold.indexOf("/"); at >= 0; at = fold.indexOf("/", at + 1)) {
      const above = seen.get(fold.slice(0, at));
      if (above !== undefined && !above.isFolder) found.add(above);
    }
  }
  return found;
}

/** Upper case first: it also joins what lower case alone keeps apart (ß and SS, the three sigmas). */
function foldOf(path: string): string {
  const folded = path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  return folded.replace(/[. ]+(?=\/|$)/g, "");
}
