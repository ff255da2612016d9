import type { Readable } from "node:stream";
import type { MediaRow, Place, SnapshotId } from "../../archive/repository/format.js";
import type { Repository } from "../../archive/repository/repository.js";
import { ArchiveError, EXIT } from "../../errors.js";
import type { Elsewhere } from "../../workspace/media-store.js";
import type { Scratch } from "../../workspace/scratch.js";

/** The contents of a snapshot, for a workspace that doesn't have them: each is read when it is needed, and checked by its sha256. */
export interface RestoreElsewhere extends Elsewhere {
  /** Notes where everything lies, so that not every single content has to be looked up in the manifest. */
  learn(scratch: Scratch, rows: AsyncIterable<MediaRow>): Promise<void>;
}

const TOPIC = "place in the archives";

export function restoreElsewhere(repository: Repository, snapshot: SnapshotId): RestoreElsewhere {
  let known: Scratch | undefined;
  const placeOf = async (sha256: string): Promise<Place | undefined> => {
    if (known === undefined) return repository.medium(snapshot, sha256);
    const noted = known.get(TOPIC, sha256);
    return noted === undefined ? undefined : (JSON.parse(noted) as Place);
  };
  return {
    // What items of the snapshot name is in it; if it isn't, that comes to light when it is opened.
    has: () => true,
    open: async (sha256): Promise<Readable> => {
      const place = await placeOf(sha256);
      if (place !== undefined) return repository.open(place);
      throw new ArchiveError(
        `The snapshot ${snapshot} in ${repository.folder} names a content ${sha256} and doesn't have it. ` +
          "`guideferry verify` with the repository says what else is hit, `guideferry repair` fetches it again.",
        { exitCode: EXIT.differences },
      );
    },
    learn: async (scratch, rows) => {
      scratch.clear(TOPIC);
      for await (const { sha256, size, archive, path } of rows)
        scratch.put(TOPIC, sha256, JSON.stringify({ sha256, size, archive, path }));
      known = scratch;
    },
  };
}
