import { basename } from "node:path";
import type { SnapshotId, SnapshotIndex } from "../archive/repository/format.js";
import { startOf } from "../archive/repository/names.js";
import type { Browsable } from "../archive/repository/read/browsable.js";
import { openRepository } from "../archive/repository/read/open-repository.js";
import { openSingleArchive } from "../archive/repository/read/open-single-archive.js";
import { RecentlyUsed } from "../util/recently-used.js";
import type { TimeFacts } from "./library.js";
import type { LibraryOptions, OpenLibrary } from "./opened-library.js";
import { RepositoryShelf } from "./repository-shelf.js";

/** Shelves that are kept, since each holds the rows of its time: the one that is read, the one it is compared with. */
const KEPT = 2;

/** The snapshots of a repository, oldest first. Throws what openRepository throws, and ArchiveError (exit 10) where there is no snapshot yet. */
export async function openRepositoryLibrary(folder: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  const repository = await openRepository(folder, { keys });
  return opened(repository, { path: folder, kind: "repository", remarks: repository.oddities });
}

/** One archive, which has one time. Throws what openSingleArchive throws. */
export async function openArchiveLibrary(file: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  const repository = await openSingleArchive(file, { keys });
  const remarks = repository.findings.map(({ code, entry, detail }) =>
    [code, ...(entry === null ? [] : [`(${entry})`]), detail].join(" "),
  );
  return opened(repository, {
    path: file,
    kind: "archive",
    remarks: remarks.map((text) => `${basename(file)}: ${text}`),
  });
}

async function opened(
  repository: Browsable,
  facts: Pick<OpenLibrary, "path" | "kind" | "remarks">,
): Promise<OpenLibrary> {
  try {
    const snapshots = repository.snapshots();
    repository.find();
    const shelves = new RecentlyUsed<SnapshotId, Promise<RepositoryShelf>>(KEPT);
    const times = new Map(snapshots.map((index) => [index.snapshot, timeOf(index)]));
    return {
      ...facts,
      times: [...times.values()],
      isEncrypted: snapshots.some(({ encrypted }) => encrypted),
      find: (at) => timeOf(repository.find(at)),
      at: async (id) => {
        const time = times.get(id);
        if (time === undefined) return undefined;
        const shelf = shelves.get(id, () => RepositoryShelf.open(repository, time));
        // Another attempt shall look again.
        shelf.catch(() => shelves.forget(id, shelf));
        return shelf;
      },
      close: () => repository.close(),
    };
  } catch (error) {
    await repository.close();
    throw error;
  }
}

function timeOf(index: SnapshotIndex): TimeFacts {
  return { id: index.snapshot, time: Math.floor(startOf(index).getTime() / 1000), complete: index.complete };
}
