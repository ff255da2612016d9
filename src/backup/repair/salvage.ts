import type { Readable } from "node:stream";
import type { Place } from "../../storage/repository/format.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { Wanted } from "./wanted.js";

/** Gives the bytes of a content that was found again. */
export type Found = () => Promise<Readable>;

/** Another archive that has the same bytes, read to their end and found right; undefined: none. */
export async function salvage(repository: OpenRepository, { elsewhere }: Wanted): Promise<Found | undefined> {
  for (const place of elsewhere) if (await isWhole(repository, place)) return async () => repository.openAt(place);
  return undefined;
}

async function isWhole(repository: OpenRepository, place: Place): Promise<boolean> {
  try {
    for await (const _piece of repository.openAt(place));
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}
