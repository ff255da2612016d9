import type { SnapshotIndex } from "../../storage/repository/format.js";
import { parseArchiveName } from "../../storage/repository/names.js";

/** Where an index contradicts itself: what the names of its archives say, and what it says beside. */
export function indexFaults({ name, snapshot, kind, encrypted, archives }: SnapshotIndex): readonly string[] {
  return archives.flatMap((archive, at) => {
    const file = parseArchiveName(archive.name);
    const isLast = at === archives.length - 1;
    const isOwn =
      file?.name === name && file.snapshot === snapshot && file.kind === kind && (file.part === null) === isLast;
    const isAsSealed = file?.encrypted === encrypted && (archive.plain !== null) === encrypted;
    return [
      ...(isOwn ? [] : [`its index names ${archive.name}, which is no archive of this snapshot`]),
      ...(isAsSealed ? [] : [`its index does not say rightly whether ${archive.name} is encrypted`]),
    ];
  });
}
