import { basename } from "node:path";
import { openRepository } from "../../storage/repository/read/open-repository.js";
import { openSingleArchive } from "../../storage/repository/read/open-single-archive.js";
import type { Key } from "../../core/model/key.js";
import type { LibraryOptions, OpenLibrary } from "./opened-library.js";
import { SnapshotTimes } from "./snapshot-times.js";

/**
 * The snapshots of a repository, oldest first; those that a backup adds meanwhile come with the next `refresh`. Throws what openRepository throws, and ArchiveError
 * (exit 10) where there is no snapshot yet.
 */
export async function openRepositoryLibrary(folder: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  let remarks: readonly string[] = [];
  const times = await SnapshotTimes.follow(folder, async () => {
    const repository = await openRepository(folder, { keys });
    remarks = repository.oddities;
    return repository;
  });
  return Object.assign(opened(times, { path: folder, kind: "repository", remarks }), {
    versions: (key: Key) => times.versions(key),
  });
}

/** One archive, which has one time. Throws what openSingleArchive throws. */
export async function openArchiveLibrary(file: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  const repository = await openSingleArchive(file, { keys });
  const remarks = repository.findings.map(({ code, entry, detail }) =>
    [basename(file), [code, ...(entry === null ? [] : [`(${entry})`]), detail].join(" ")].join(": "),
  );
  return opened(await SnapshotTimes.of(repository), { path: file, kind: "archive", remarks });
}

function opened(times: SnapshotTimes, facts: Pick<OpenLibrary, "path" | "kind" | "remarks">): OpenLibrary {
  return {
    ...facts,
    get times() {
      return times.times;
    },
    get isEncrypted() {
      return times.isEncrypted;
    },
    find: (at) => times.find(at),
    at: (id) => times.at(id),
    refresh: async () => {
      await times.refresh();
      return NOTHING_ELSE;
    },
    close: () => times.close(),
  };
}

/** What a snapshot holds never changes. */
const NOTHING_ELSE: ReadonlySet<string> = new Set();
