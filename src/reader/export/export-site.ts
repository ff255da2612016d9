import { readFile } from "node:fs/promises";
import { diskError } from "../../archive/disk-error.js";
import { FerryError } from "../../errors.js";
import { parallel } from "../../util/parallel.js";
import { ASSET_NAMES, assetOf } from "../assets.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { Library, Shelf } from "../library.js";
import type { RenderPage } from "../render.js";
import { SearchWriter } from "../search/search-writer.js";
import { ExportFolder, type FolderFacts } from "./export-folder.js";
import { type ExportFailure, exportMedia } from "./export-media.js";
import { pageAddresses } from "./page-addresses.js";

/** What is exported, and where to. */
export interface SiteExport {
  readonly library: Library;
  readonly shelf: Shelf;
  readonly render: RenderPage;
  /** The folder: new, empty, or an earlier export of the same site. */
  readonly path: string;
  /** Ends the export; the same call goes on. */
  readonly signal: AbortSignal;
  readonly progress: (stage: "read" | "media" | "pages", done: number, total: number, failed: number) => void;
}

export interface ExportedSite extends FolderFacts {
  readonly pages: number;
  /** What could not be read; its page says so. */
  readonly failures: readonly ExportFailure[];
}

/** Pages that are made at the same time. */
const WIDTH = 4;

/**
 * Writes the pages of one time, with their media and the index of the search, as files whose links are relative. Throws UsageError for a folder that holds something else,
 * ArchiveError when the disk fails, what the library throws, and the signal's reason.
 */
export async function exportSite(parts: SiteExport): Promise<ExportedSite> {
  const { shelf, path } = parts;
  try {
    const folder = await ExportFolder.open(path, { site: shelf.site.origin, time: shelf.facts.id });
    try {
      return await fill(folder, parts);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw diskError(error, `writing ${path}`);
  }
}

async function fill(folder: ExportFolder, parts: SiteExport): Promise<ExportedSite> {
  const { shelf, signal, progress } = parts;
  const catalogue = await readAll(folder, parts);
  const damaged = catalogue.damaged.map(({ key, reason }) => ({ key, reason }));
  const { failures, lost } = await exportMedia({
    shelf,
    catalogue,
    folder,
    signal,
    progress: (done, total, failed) => progress("media", done, total, failed),
  });
  const pages = await exportPages(folder, catalogue, { ...parts, shelf: without(shelf, lost) });
  await exportAssets(folder);
  await folder.finish();
  return { ...folder.facts, pages, failures: [...damaged, ...failures] };
}

/** Reads every item, and writes the index of the search from them on the way. */
async function readAll(folder: ExportFolder, { shelf, signal, progress }: SiteExport): Promise<BuiltCatalogue> {
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

async function exportPages(folder: ExportFolder, catalogue: BuiltCatalogue, parts: SiteExport): Promise<number> {
  const { library, shelf, render, signal, progress } = parts;
  const items = [...catalogue.records()].map(({ entry }) => entry.path).filter((address) => address !== "");
  const addresses = pageAddresses(catalogue, items);
  let done = 0;
  await parallel(addresses, WIDTH, async (address) => {
    signal.throwIfAborted();
    const { status, html } = await render({ library, shelf, catalogue, mode: "files" }, address);
    if (status !== 200) throw new TypeError(`${address} was listed, and there is no such page`);
    await folder.put(address, html);
    done += 1;
    progress("pages", done, addresses.size, 0);
  });
  return addresses.size;
}

async function exportAssets(folder: ExportFolder): Promise<void> {
  for (const name of ASSET_NAMES) {
    const asset = assetOf(name);
    if (asset === undefined)
      throw new FerryError(`guideferry is not installed whole: its file ${name} is missing. Install it anew.`);
    await folder.put(`assets/${name}`, await readFile(asset.file));
  }
}

/** The same shelf without some contents: pages say of them that they are not there. */
function without(shelf: Shelf, lost: ReadonlySet<string>): Shelf {
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
