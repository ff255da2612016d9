import type { SnapshotKind } from "../../../archive/repository/format.js";
import { isDamage } from "../../../archive/repository/read/damage.js";
import type { Repository } from "../../../archive/repository/repository.js";
import { sinceFull } from "../../../archive/repository/since-full.js";
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
  if (sinceFull(snapshots) + 1 < fullEvery) return { kind: "incremental" };
  if (await canRead(repository)) return { kind: "full" };
  return {
    kind: "incremental",
    warning:
      `A full snapshot is due (--full-every ${fullEvery}), and the older archives can't be read without a key: this one is incremental again. ` +
      "Give --identity FILE now and then, so that old archives can be pruned.",
  };
}

/** Do the keys open the youngest encrypted one that isn't damaged? */
async function canRead(repository: Repository): Promise<boolean> {
  for (const { snapshot, encrypted } of repository.snapshots().toReversed()) {
    if (!encrypted) return true;
    try {
      await repository.manifest(snapshot);
      return true;
    } catch (error) {
      if (error instanceof FerryError && error.exitCode === EXIT.usage) return false;
      if (!isDamage(error)) throw error;
    }
  }
  return true;
}
