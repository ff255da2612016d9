import { join } from "node:path";
import { timeOf } from "../../storage/repository/names.js";
import { openRepository } from "../../storage/repository/read/open-repository.js";
import { STAMP } from "../../storage/repository/read/repository-folder.js";
import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import { newStamp, writeStamp } from "../../storage/repository/write/stamp.js";
import { takeLock } from "../../storage/workspace/lock.js";
import { youngestManifest } from "./youngest-manifest.js";

/**
 * Makes a `repository.json` that is lost or damaged again, from the youngest manifest that can be read; without it no other run touches the
 * repository. Returns whether it did; false also where another run holds the lock. Throws ArchiveError (exit 10) for a folder that
 * is no repository, UsageError when the manifests are encrypted and no key fits.
 */
export async function mendStamp(
  folder: string,
  { keys, madeBy }: { readonly keys: RepositoryKeys; readonly madeBy: string },
): Promise<boolean> {
  const repository = await openRepository(folder, { keys });
  try {
    const [first] = repository.snapshots();
    if (first === undefined || !repository.remarks.some(({ file, isDamage }) => file === STAMP && isDamage))
      return false;
    const manifest = await youngestManifest(repository);
    if (manifest === undefined) return false;
    const taken = takeLock(join(folder, "lock"), "guideferry repair");
    if (!("lock" in taken)) return false;
    try {
      await writeStamp(folder, newStamp(manifest.name, madeBy, timeOf(first.snapshot), manifest.site));
      return true;
    } finally {
      taken.lock.release();
    }
  } finally {
    await repository.close();
  }
}
