import type { Key } from "../../../core/model/key.js";
import { MEDIA_KINDS } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/concurrency.js";
import { merged } from "../../../core/util/iterables.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { Catalogue, Entry, MediumFacts } from "../catalogue.js";
import { type Library, type SnapshotView, unreadable } from "../library.js";
import { headOf, mediaTypeOf } from "../media-type.js";
import { pagePathOf, tagPath } from "../page-path.js";
import { filteredListings, furtherPages } from "../pages/listing.js";
import { renderPage, renderRows } from "../pages/render-page.js";
import type { PageContext } from "../pages/scope.js";
import { SearchWriter, searchScript } from "../search/search-index.js";
import type { ExportFolder, MediumName } from "./export-folder.js";

interface SnapshotExport {
  /** What pages show of other snapshots. */
  readonly library: Library;
  readonly snapshot: SnapshotView;
  /** For pages and the search index. */
  readonly folder: ExportFolder;
  readonly mediaFolder: ExportFolder;
  readonly shared?: string;
  readonly onMedium?: (medium: MediumName) => void;
  /** Pages that compare it with another snapshot. Default: none. */
  readonly compared?: ComparedPages;
  /** Ends the export; the same call resumes it. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

export type ExportProgress = (stage: "read" | "media" | "pages", done: number, total: number, failed: number) => void;

interface ExportedSnapshot {
  /** Addresses of its pages, without those that compare. */
  readonly pages: ReadonlySet<string>;
  /** The sha256 of unreadable media. */
  readonly lost: ReadonlySet<string>;
  readonly failures: readonly ExportFailure[];
}

/** Pages rendered at once. */
const WIDTH = 4;

/** Throws errors of the disk and of the library, and the signal's reason. */
export async function exportSnapshot(parts: SnapshotExport): Promise<ExportedSnapshot> {
  const { snapshot, signal, progress } = parts;
  const catalogue = await readAll(parts);
  const { failures, lost } = await exportMedia({
    snapshot,
    catalogue,
    folder: parts.mediaFolder,
    signal,
    ...(parts.onMedium !== undefined && { onMedium: parts.onMedium }),
    progress: (done, total, failed) => progress("media", done, total, failed),
  });
  const pages = await exportPages(catalogue, { ...parts, snapshot: withoutMedia(snapshot, lost) });
  const damaged = catalogue.damaged.map(({ key, reason }) => ({ key, reason }));
  return { pages, lost, failures: [...damaged, ...failures] };
}

/** Reads every item and writes the search index. */
async function readAll({ folder, snapshot, signal, progress }: SnapshotExport): Promise<BuiltCatalogue> {
  const search = new SearchWriter((name, text) => folder.put(`search/${name}`, text));
  const tell = ({ progress: { done, total }, damaged }: BuiltCatalogue): void =>
    progress("read", done, total, damaged.length);
  let building: BuiltCatalogue | undefined;
  const catalogue = await BuiltCatalogue.build({
    snapshot,
    signal,
    onItem: async (entry, item) => {
      await search.add(entry, item);
      if (building !== undefined) tell(building);
    },
  });
  building = catalogue;
  await catalogue.read;
  tell(catalogue);
  await search.end();
  return catalogue;
}

async function exportPages(catalogue: BuiltCatalogue, parts: SnapshotExport): Promise<ReadonlySet<string>> {
  const { library, snapshot, folder, shared, compared, signal, progress } = parts;
  const items = [...catalogue.records()].map(({ entry }) => entry.path).filter((address) => address !== "");
  const pages = pageAddresses(catalogue, items);
  const comparing = compared === undefined ? new Set<string>() : compared.addresses;
  const total = pages.size + comparing.size;
  const context: PageContext = {
    ...{ library, snapshot, catalogue, mode: "files" },
    ...(shared !== undefined && { shared }),
    leadsTo: (time, path) => time === snapshot.facts.id && comparing.has(path),
  };
  let done = 0;
  const write = async (address: string): Promise<void> => {
    signal.throwIfAborted();
    const { status, html } = await renderPage(context, address);
    if (status !== 200) throw new TypeError(`${address} is in the list of pages, but has no page`);
    await folder.put(address, html);
    done += 1;
    progress("pages", done, total, 0);
  };
  await parallel(pages, WIDTH, write);
  for (const { name } of basePages(catalogue, items).flatMap((address) => filteredListings(catalogue, address))) {
    signal.throwIfAborted();
    const rows = await renderRows(context, name);
    if (rows !== undefined) await folder.put(`search/${name}.js`, searchScript(name, rows));
  }
  await parallel(comparing, WIDTH, write);
  return pages;
}

interface MediaExport {
  readonly snapshot: SnapshotView;
  readonly catalogue: Catalogue;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  /** Called for each exported medium. */
  readonly onMedium?: (medium: MediumName) => void;
  readonly progress: (done: number, total: number, failed: number) => void;
}

export interface ExportFailure {
  readonly key: Key;
  readonly reason: string;
}

interface ExportedMedia {
  readonly failures: readonly ExportFailure[];
  /** The sha256 of missing contents, which pages must not link. */
  readonly lost: ReadonlySet<string>;
}

/**
 * Writes all images, videos and documents and returns the failures. Throws errors of the disk, and
 * the signal's reason.
 */
async function exportMedia(parts: MediaExport): Promise<ExportedMedia> {
  const { snapshot, catalogue, folder, signal, onMedium, progress } = parts;
  const entries = MEDIA_KINDS.flatMap((kind) => catalogue.media(kind));
  const failures: ExportFailure[] = [];
  const lost = new Set<string>();
  let done = 0;
  await parallel(entries, WIDTH, async (entry) => {
    signal.throwIfAborted();
    const facts = entry.more?.medium;
    if (facts !== null && facts !== undefined) {
      const { medium, reason } = await put(snapshot, folder, entry, facts);
      if (medium !== undefined) onMedium?.(medium);
      if (reason !== undefined) {
        lost.add(facts.sha256);
        failures.push({ key: entry.key, reason });
      }
    }
    done += 1;
    progress(done, entries.length, failures.length);
  });
  return { failures, lost };
}

type Put =
  | { readonly medium: MediumName; readonly reason?: undefined }
  | { readonly medium?: undefined; readonly reason: string };

async function put(
  snapshot: SnapshotView,
  folder: ExportFolder,
  { key }: Entry,
  { sha256, fileName }: MediumFacts,
): Promise<Put> {
  try {
    const medium = await snapshot.medium(sha256);
    if (medium === undefined) return { reason: `The contents of ${key} are not in the archive.` };
    const { extension } = mediaTypeOf(await headOf(medium), fileName);
    await folder.putMedium({ sha256, extension }, medium.size, () => medium.open());
    return { medium: { sha256, extension } };
  } catch (error) {
    const reason = unreadable(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

/** The pages that compare a snapshot with the one before. */
interface ComparedPages {
  readonly before: string;
  /** The page of all changes, and one for each item that was added, changed or deleted. */
  readonly addresses: ReadonlySet<string>;
  /** Pages of items that changed. */
  readonly changed: readonly string[];
}

/** Finds added, changed and deleted items that have pages. Throws what the snapshots throw. */
export async function comparedPages(before: SnapshotView, after: SnapshotView): Promise<ComparedPages> {
  const { id } = before.facts;
  const addresses = new Set([`changes/${id}.html`]);
  const changed: string[] = [];
  for await (const [old, now] of merged(before.rows(), after.rows(), ({ key }) => key)) {
    if (old !== undefined && now !== undefined && old.digest === now.digest) continue;
    const key = (now ?? old)?.key;
    const path = key === undefined ? "" : pagePathOf(key);
    if (path === "") continue;
    addresses.add(`changes/${id}/${path}`);
    if (old !== undefined && now !== undefined) changed.push(path);
  }
  return { before: id, addresses, changed };
}

/** Has the shape of `PageChanges` in `src/web/reader/browser/times.ts`. */
export interface SnapshotChanges {
  readonly before: string;
  /** Pages at one of the two snapshots only, and pages of changed items. */
  readonly came: readonly string[];
  readonly changed: readonly string[];
  readonly went: readonly string[];
}

export function snapshotChanges(
  { before, changed }: ComparedPages,
  old: ReadonlySet<string>,
  now: ReadonlySet<string>,
): SnapshotChanges {
  const came = [...now].filter((path) => !old.has(path)).toSorted();
  const went = [...old].filter((path) => !now.has(path)).toSorted();
  return { before, came, changed, went };
}

const LISTS: readonly string[] = [
  "index.html",
  "about.html",
  "search.html",
  "guides.html",
  "pages.html",
  "tags.html",
  "documents.html",
];

function pageAddresses(catalogue: Catalogue, items: Iterable<string>): ReadonlySet<string> {
  const pages = basePages(catalogue, items);
  return new Set([...pages, ...pages.flatMap((address) => furtherPages(catalogue, address))]);
}

/** Without the further pages of their lists. */
function basePages(catalogue: Catalogue, items: Iterable<string>): readonly string[] {
  return [...LISTS, ...catalogue.tags().map(({ tag }) => tagPath(tag)), ...items];
}

/** The snapshot without unreadable media, which pages show as missing. */
export function withoutMedia(snapshot: SnapshotView, lost: ReadonlySet<string>): SnapshotView {
  return {
    facts: snapshot.facts,
    site: snapshot.site,
    rows: () => snapshot.rows(),
    rowBatches: () => snapshot.rowBatches(),
    item: (row) => snapshot.item(row),
    row: (key) => snapshot.row(key),
    medium: async (sha256) => (lost.has(sha256) ? undefined : snapshot.medium(sha256)),
  };
}
