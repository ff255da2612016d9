import type { Manifest } from "../../storage/repository/format.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";

/** The last manifest that can be read; undefined: none. Throws UsageError when a key is needed. */
export async function youngestManifest(repository: OpenRepository): Promise<Manifest | undefined> {
  for (const { snapshot } of repository.snapshots().toReversed()) {
    try {
      return await repository.manifest(snapshot);
    } catch (error) {
      // An older one says the same of the site.
      if (!isDamage(error)) throw error;
    }
  }
  return undefined;
}
