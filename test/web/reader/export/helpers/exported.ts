import { readdir } from "node:fs/promises";
import {
  type ExportedSite,
  exportSite,
  exportSnapshots,
  type SiteExport,
  type SnapshotsExport,
} from "../../../../../src/web/reader/export/export-site.js";
import { openLibrary } from "../../../../../src/web/reader/open-library.js";

/** Exports a time of what lies at a path. Default: the last one. */
export async function exported(
  place: string,
  path: string,
  { at, ...more }: Partial<SiteExport> & { readonly at?: string } = {},
): Promise<ExportedSite> {
  const library = await openLibrary(place);
  try {
    const snapshot = await library.at(library.find(at).id);
    if (snapshot === undefined) throw new Error("there is no such time");
    const given = { signal: new AbortController().signal, progress: () => undefined };
    return await exportSite({ library, snapshot, path, ...given, ...more });
  } finally {
    await library.close();
  }
}

/** Exports several times of what lies at a path. Default: all. */
export async function exportedTimes(
  place: string,
  path: string,
  { last = Number.POSITIVE_INFINITY, ...more }: Partial<SnapshotsExport> & { readonly last?: number } = {},
): Promise<ExportedSite> {
  const library = await openLibrary(place);
  try {
    const given = { signal: new AbortController().signal, progress: () => undefined };
    const times = library.snapshots.slice(-Math.min(last, library.snapshots.length));
    return await exportSnapshots({ library, times, path, ...given, ...more });
  } finally {
    await library.close();
  }
}

/** The addresses of all files below a folder, in their order. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .toSorted();
}
