import type { Key } from "../../../core/model/key.js";
import { MEDIA_KINDS } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/concurrency.js";
import { merged } from "../../../core/util/iterables.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { Catalogue, Entry, MediumFacts } from "../catalogue.js";
import { type Library, type SnapshotView, unreadable } from "../library.js";
import { headOf, mediaTypeOf } from "../media-type.js";
import { pagePathOf, tagPath } from "../page-path.js";
import { renderPage } from "../pages/render-page.js";
import type { PageContext } from "../pages/scope.js";
import { SearchWriter } from "../search/search-index.js";
import type { ExportFolder, MediumName } from "./export-folder.js";

/** One time that is written as files. */
interface TimeExport {
  /** What pages know of other times. */
  readonly library: Library;
  readonly shelf: SnapshotView;
  /** Where its pages and the index of the search go to. */
  readonly folder: ExportFolder;
  /** Where media go to. */
  readonly mediaFolder: ExportFolder;
  /** See `PageContext`. */
  readonly shared?: string;
  /** See `MediaExport`. */
  readonly onMedium?: (medium: MediumName) => void;
  /** The pages that compare it with another time. Default: none. */
  readonly compared?: ComparedPages;
  /** Ends the export; the same call goes on. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

export type ExportProgress = (stage: "read" | "media" | "pages", done: number, total: number, failed: number) => void;

interface ExportedTime {
  /** The addresses of its own pages, those that compare apart. */
  readonly pages: ReadonlySet<string>;
  /** The sha256 of media that could not be read. */
  readonly lost: ReadonlySet<string>;
  /** What could not be read; its page says so. */
  readonly failures: readonly ExportFailure[];
}

/** Pages that are made at the same time. */
const WIDTH = 4;

/**
 * Writes the pages of one time, with their media and the index of the search. Throws what the disk
 * and the library say, and the signal's reason.
 */
export async function exportTime(parts: TimeExport): Promise<ExportedTime> {
  const { shelf, signal, progress } = parts;
  const catalogue = await readAll(parts);
  const { failures, lost } = await exportMedia({
    shelf,
    catalogue,
    folder: parts.mediaFolder,
    signal,
    ...(parts.onMedium !== undefined && { onMedium: parts.onMedium }),
    progress: (done, total, failed) => progress("media", done, total, failed),
  });
  const pages = await exportPages(catalogue, { ...parts, shelf: withoutMedia(shelf, lost) });
  const damaged = catalogue.damaged.map(({ key, reason }) => ({ key, reason }));
  return { pages, lost, failures: [...damaged, ...failures] };
}

/** Reads every item, and writes the index of the search from them on the way. */
async function readAll({ folder, shelf, signal, progress }: TimeExport): Promise<BuiltCatalogue> {
  const search = new SearchWriter((name, text) => folder.put(`search/${name}`, text));
  const tell = ({ progress: { done, total }, damaged }: BuiltCatalogue): void =>
    progress("read", done, total, damaged.length);
  let building: BuiltCatalogue | undefined;
  const catalogue = await BuiltCatalogue.build({
    shelf,
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

async function exportPages(catalogue: BuiltCatalogue, parts: TimeExport): Promise<ReadonlySet<string>> {
  const { library, shelf, folder, shared, compared, signal, progress } = parts;
  const items = [...catalogue.records()].map(({ entry }) => entry.path).filter((address) => address !== "");
  const pages = pageAddresses(catalogue, items);
  const comparing = compared === undefined ? new Set<string>() : compared.addresses;
  const total = pages.size + comparing.size;
  const context: PageContext = {
    ...{ library, shelf, catalogue, mode: "files" },
    ...(shared !== undefined && { shared }),
    leadsTo: (time, path) => time === shelf.facts.id && comparing.has(path),
  };
  let done = 0;
  const write = async (address: string): Promise<void> => {
    signal.throwIfAborted();
    const { status, html } = await renderPage(context, address);
    if (status !== 200) throw new TypeError(`${address} was listed, and there is no such page`);
    await folder.put(address, html);
    done += 1;
    progress("pages", done, total, 0);
  };
  await parallel(pages, WIDTH, write);
  await parallel(comparing, WIDTH, write);
  return pages;
}

interface MediaExport {
  readonly shelf: SnapshotView;
  readonly catalogue: Catalogue;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  /** Is told of each that is in the export. Default: nobody is. */
  readonly onMedium?: (medium: MediumName) => void;
  readonly progress: (done: number, total: number, failed: number) => void;
}

export interface ExportFailure {
  readonly key: Key;
  /** For people. */
  readonly reason: string;
}

interface ExportedMedia {
  readonly failures: readonly ExportFailure[];
  /** The sha256 of contents that are not in the export: pages must not lead to them. */
  readonly lost: ReadonlySet<string>;
}

/**
 * Writes the bytes of all images, videos and documents. What is damaged or missing is told. Throws
 * what the disk says, and the signal's reason.
 */
async function exportMedia(parts: MediaExport): Promise<ExportedMedia> {
  const { shelf, catalogue, folder, signal, onMedium, progress } = parts;
  const entries = MEDIA_KINDS.flatMap((kind) => catalogue.media(kind));
  const failures: ExportFailure[] = [];
  const lost = new Set<string>();
  let done = 0;
  await parallel(entries, WIDTH, async (entry) => {
    signal.throwIfAborted();
    const facts = entry.more?.medium;
    if (facts !== null && facts !== undefined) {
      const { medium, reason } = await put(shelf, folder, entry, facts);
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

/** Where it is, or why it can't be had. */
type Put =
  | { readonly medium: MediumName; readonly reason?: undefined }
  | { readonly medium?: undefined; readonly reason: string };

async function put(
  shelf: SnapshotView,
  folder: ExportFolder,
  { key }: Entry,
  { sha256, fileName }: MediumFacts,
): Promise<Put> {
  try {
    const medium = await shelf.medium(sha256);
    if (medium === undefined) return { reason: `The bytes of ${key} are not there.` };
    const { extension } = mediaTypeOf(await headOf(medium), fileName);
    await folder.putMedium({ sha256, extension }, medium.size, () => medium.open());
    return { medium: { sha256, extension } };
  } catch (error) {
    const reason = unreadable(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

/** The pages of a time that compare it with the one before. */
interface ComparedPages {
  /** The id of the time before. */
  readonly before: string;
  /** The page of all changes, and one for each item that came, changed or went. */
  readonly addresses: ReadonlySet<string>;
  /** The addresses of the pages of items that changed. */
  readonly changed: readonly string[];
}

/**
 * Finds the items that came, changed or went, as far as they have pages. Throws what the shelves
 * throw.
 */
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

/**
 * What the scripts of an export know of a time; `PageChanges` of `src/web/reader/browser/times.ts`
 * is the same.
 */
export interface TimeChanges {
  /** The id of the time before. */
  readonly before: string;
  /**
   * Addresses of pages that are at one of the two times alone, and of those of items that changed.
   */
  readonly came: readonly string[];
  readonly changed: readonly string[];
  readonly went: readonly string[];
}

/** What differs between the pages of two times. */
export function timeChanges(
  { before, changed }: ComparedPages,
  old: ReadonlySet<string>,
  now: ReadonlySet<string>,
): TimeChanges {
  const came = [...now].filter((path) => !old.has(path)).toSorted();
  const went = [...old].filter((path) => !now.has(path)).toSorted();
  return { before, came, changed, went };
}

/** Pages of lists. */
const LISTS: readonly string[] = [
  "index.html",
  "about.html",
  "guides.html",
  "pages.html",
  "tags.html",
  "documents.html",
];

/** The addresses of all pages of a time, each once. */
function pageAddresses(catalogue: Catalogue, items: Iterable<string>): ReadonlySet<string> {
  return new Set([...LISTS, ...catalogue.tags().map(({ tag }) => tagPath(tag)), ...items]);
}

/** The same shelf without some contents: pages say of them that they are not there. */
export function withoutMedia(shelf: SnapshotView, lost: ReadonlySet<string>): SnapshotView {
  return {
    facts: shelf.facts,
    site: shelf.site,
    rows: () => shelf.rows(),
    rowBatches: () => shelf.rowBatches(),
    item: (row) => shelf.item(row),
    row: (key) => shelf.row(key),
    medium: async (sha256) => (lost.has(sha256) ? undefined : shelf.medium(sha256)),
  };
}
