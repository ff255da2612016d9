import type { SnapshotKind } from "../../storage/repository/format.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import type { Repository } from "../../storage/repository/repository.js";
import { sinceFull } from "../../storage/repository/since-full.js";
import { EXIT, FerryError } from "../../core/errors.js";

/** The kind of the next snapshot, and a warning where it should have been another one. */
export interface ChosenKind {
  readonly kind: SnapshotKind;
  readonly warning?: string;
  /** A full snapshot is due and waits for a key: every so many snapshots one was asked for. */
  readonly fullDue?: number;
}

/** The first snapshot is full; later ones are when so many have come since the last full one, itself counted. That needs the older archives' bytes. */
export async function chooseKind(repository: Repository, fullEvery: number): Promise<ChosenKind> {
  const snapshots = repository.snapshots();
  const last = snapshots.at(-1);
  if (last === undefined) return { kind: "full" };
  const since = sinceFull(snapshots) + 1;
  if (since < fullEvery) return { kind: "incremental" };
  if (await canRead(repository)) return { kind: "full" };
  return {
    kind: "incremental",
    fullDue: fullEvery,
    warning:
      `NO FULL SNAPSHOT: one is due every ${fullEvery} (--full-every), this is number ${since} after the last one, and the older archives can't be read without a key, so it is incremental again. ` +
      "Until there is a full one, no archive since the last full one can be pruned, whatever --keep says: the repository grows each night, and each restore needs all of them. " +
      "Give --identity FILE (or GUIDEFERRY_PASSPHRASE) to one backup.",
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
