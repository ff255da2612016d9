import type { SnapshotIndex, SnapshotKind } from "../../../archive/repository/format.js";
import type { Repository } from "../../../archive/repository/repository.js";
import { EXIT, FerryError } from "../../../errors.js";

/** The kind of the next snapshot, and a warning where it should have been another one. */
export interface ChosenKind {
  readonly kind: SnapshotKind;
  readonly warning?: string;
}

/** The first snapshot is full; later ones are when so many have come since the last full one, itself counted. That needs the older archives' bytes. */
export async function chooseKind(repository: Repository, fullEvery: number): Promise<ChosenKind> {
  const snapshots = repository.snapshots();
  const last = snapshots.at(-1);
  if (last === undefined) return { kind: "full" };
  const since =
    snapshots.length -
    Math.max(
      0,
      snapshots.findLastIndex(({ kind }) => kind === "full"),
    );
  if (since < fullEvery) return { kind: "incremental" };
  if (await canRead(repository, last)) return { kind: "full" };
  return {
    kind: "incremental",
    warning:
      `A full snapshot is due (--full-every ${fullEvery}), and the older archives can't be read without a key: this one is incremental again. ` +
      "Give --identity FILE now and then, so that old archives can be pruned.",
  };
}

async function canRead(repository: Repository, { snapshot, encrypted }: SnapshotIndex): Promise<boolean> {
  if (!encrypted) return true;
  try {
    await repository.manifest(snapshot);
    return true;
  } catch (error) {
    if (error instanceof FerryError && error.exitCode === EXIT.usage) return false;
    throw error;
  }
}
