import type { MediaRow, Place, PresentRow } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { Hit, RepositoryCheck } from "../verify/repository-check.js";

/** A content that no archive has as it should be. */
export interface Wanted {
  readonly sha256: string;
  readonly size: number;
  /** Of the entry, as its rows have it. */
  readonly path: string;
  /** What it is: an item of several names where their bytes are equal, or a medium. */
  readonly hits: readonly Hit[];
  /** Other places that rows of any snapshot name for the same bytes. */
  readonly elsewhere: readonly Place[];
  /** UNIX seconds at which rows say that it was compared with the site. */
  readonly read: readonly number[];
}

/**
 * What a check found damaged or missing and no repair archive has, each content once, with every other place that is known for it. Reads the rows of
 * all snapshots that can be read.
 */
export async function wantedContents(repository: OpenRepository, check: RepositoryCheck): Promise<readonly Wanted[]> {
  const hits = new Map<string, Hit[]>();
  for (const hit of check.hits) if (!hit.repaired) hits.set(hit.sha256, [...(hits.get(hit.sha256) ?? []), hit]);
  if (hits.size === 0) return [];
  const damaged = new Set(check.hits.map(nameOf));
  const places = new Map<string, Place[]>();
  const read = new Map<string, Set<number>>();
  const unreadable = new Set(check.snapshots.filter((one) => one.unreadable !== null).map(({ snapshot }) => snapshot));
  for (const { snapshot } of repository.snapshots()) {
    if (unreadable.has(snapshot)) continue;
    for await (const row of placesOf(repository, snapshot)) {
      if (!hits.has(row.sha256)) continue;
      const known = places.get(row.sha256) ?? [];
      if (known.every((place) => nameOf(place) !== nameOf(row))) known.push(placeOf(row));
      places.set(row.sha256, known);
      if ("read" in row) read.set(row.sha256, (read.get(row.sha256) ?? new Set()).add(row.read));
    }
  }
  return [...hits].flatMap(([sha256, list]) => {
    const [first] = list;
    const all = places.get(sha256) ?? [];
    const size = all[0]?.size;
    if (first === undefined || size === undefined) return [];
    const elsewhere = all.filter((place) => !damaged.has(nameOf(place)));
    return [{ sha256, size, path: first.path, hits: list, elsewhere, read: [...(read.get(sha256) ?? [])] }];
  });
}

async function* placesOf(repository: OpenRepository, snapshot: string): AsyncGenerator<PresentRow | MediaRow> {
  for await (const row of repository.items(snapshot)) if (row.state === "present") yield row;
  yield* repository.media(snapshot);
}

function placeOf({ sha256, size, archive, path }: Place): Place {
  return { sha256, size, archive, path };
}

function nameOf({ archive, path }: Pick<Place, "archive" | "path">): string {
  return `${archive}\0${path}`;
}
