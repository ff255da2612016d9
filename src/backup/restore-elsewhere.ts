import type { Readable } from "node:stream";
import type { MediaRow, SnapshotId } from "../storage/repository/format.js";
import type { Repository } from "../storage/repository/repository.js";
import { ArchiveError, EXIT } from "../core/errors.js";
import type { Elsewhere } from "../storage/workspace/media-store.js";
import type { Scratch } from "../storage/workspace/scratch.js";
import { RowLookup } from "./row-lookup.js";

/** The contents of a snapshot, for a workspace that doesn't have them: each is read when it is needed, and checked by its sha256. */
export interface RestoreElsewhere extends Elsewhere {
  /** Where it may note where everything lies, so that not every single content has to be looked up in the manifest. */
  noteIn(scratch: Scratch): void;
}

export function restoreElsewhere(repository: Repository, snapshot: SnapshotId): RestoreElsewhere {
  const places = new RowLookup<MediaRow>({
    topic: "place in the archives",
    one: (sha256) => repository.medium(snapshot, sha256),
    all: () => repository.media(snapshot),
    keyOf: ({ sha256 }) => sha256,
  });
  return {
    // What items of the snapshot name is in it; if it isn't, that comes to light when it is opened.
    has: () => true,
    open: async (sha256): Promise<Readable> => {
      const place = await places.find(sha256);
      if (place !== undefined) return repository.open(place);
      throw new ArchiveError(
        `The snapshot ${snapshot} in ${repository.folder} names a content ${sha256} and doesn't have it. ` +
          "`guideferry verify` with the repository says what else is hit, `guideferry repair` fetches it again.",
        { exitCode: EXIT.differences },
      );
    },
    noteIn: (scratch) => places.noteIn(scratch),
  };
}
