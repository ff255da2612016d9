import { parallel } from "../../../core/util/parallel.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { Library, Shelf } from "../library.js";
import type { PageContext, RenderPage } from "../render.js";
import { SearchWriter } from "../search/search-writer.js";
import type { ExportFolder } from "./export-folder.js";
import { type ExportFailure, exportMedia } from "./export-media.js";
import type { MediumName } from "./media-names.js";
import { pageAddresses } from "./page-addresses.js";
import type { ComparedPages } from "./time-changes.js";
import { withoutMedia } from "./without-media.js";

/** One time that is written as files. */
export interface TimeExport {
  /** What pages know of other times. */
  readonly library: Library;
  readonly shelf: Shelf;
  readonly render: RenderPage;
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

export interface ExportedTime {
  /** The addresses of its own pages, those that compare apart. */
  readonly pages: ReadonlySet<string>;
  /** The sha256 of media that could not be read. */
  readonly lost: ReadonlySet<string>;
  /** What could not be read; its page says so. */
  readonly failures: readonly ExportFailure[];
}

/** Pages that are made at the same time. */
const WIDTH = 4;

/** Writes the pages of one time, with their media and the index of the search. Throws what the disk and the library say, and the signal's reason. */
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
  const { library, shelf, render, folder, shared, compared, signal, progress } = parts;
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
    const { status, html } = await render(context, address);
    if (status !== 200) throw new TypeError(`${address} was listed, and there is no such page`);
    await folder.put(address, html);
    done += 1;
    progress("pages", done, total, 0);
  };
  await parallel(pages, WIDTH, write);
  await parallel(comparing, WIDTH, write);
  return pages;
}
