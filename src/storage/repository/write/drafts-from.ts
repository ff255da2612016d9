import type { Readable } from "node:stream";
import { FerryError } from "../../../core/errors.js";
import type { Place, SnapshotId } from "../format.js";
import type { Repository } from "../repository.js";
import type { Draft, NewContent } from "./draft.js";

/** Every row of a snapshot, its bytes to be written anew; tombstones as they are. */
export async function* draftsFrom(
  repository: Pick<Repository, "items" | "media">,
  snapshot: SnapshotId,
): AsyncGenerator<Draft> {
  for await (const item of repository.items(snapshot)) {
    if (item.state === "deleted") yield { item, change: null };
    else yield { item, write: true, change: null };
  }
  for await (const medium of repository.media(snapshot)) yield { medium, write: true, change: null };
}

/** The bytes of a content that lies in the repository. */
export function openFrom(repository: Pick<Repository, "open">, content: NewContent): Promise<Readable> {
  return repository.open(placeOf(content));
}

function placeOf({ archive, ...content }: NewContent): Place {
  if (archive !== null) return { ...content, archive };
  throw new FerryError(`${content.path} lies in no archive: a defect of guideferry.`);
}
