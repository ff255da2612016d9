import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { z } from "zod";
import { FerryError } from "../../../core/errors.js";
import { diskError } from "../../../storage/archive/disk-error.js";
import type { Lock } from "../../../storage/workspace/lock.js";
import { ASSET_NAMES, assetOf } from "../assets.js";
import type { Library, SnapshotView, TimeFacts } from "../library.js";
import { ExportFolder, type FolderFacts, MediaNames } from "./export-folder.js";
import {
  comparedPages,
  type ExportFailure,
  type ExportProgress,
  exportTime,
  timeChanges,
  withoutMedia,
} from "./export-time.js";
import { holdFolder } from "./prepare-folder.js";
import {
  CHANGES_FILE,
  changesScript,
  checkTimeFolder,
  firstPage,
  removeTimes,
  TIMES_FILE,
  timeFolder,
  timesIn,
  timesPage,
  timesScript,
  wholeTime,
} from "./times-folder.js";

/** What is exported, and where to. */
export interface TimesExport {
  readonly library: Library;
  /** The times, oldest first, at least one. */
  readonly times: readonly TimeFacts[];
  /** The folder: new, empty, or an earlier export of the same site. */
  readonly path: string;
  /** Ends the export; the same call goes on. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

/** The way from the root of a time to what all of them share. */
const SHARED = "../../";

/**
 * Writes several times of a site, each below `at/<id>/` with pages that compare it with the one
 * before, and media and assets once for all. A page that is at two times the same is one file with
 * two names, where the disk has links. A time that an earlier run of the same version wrote whole
 * is left as it is. Throws as `exportSite`.
 */
export async function exportTimes(parts: TimesExport): Promise<ExportedSite> {
  const { library, times, path } = parts;
  const last = times.at(-1);
  const shelf = last && (await library.at(last.id));
  if (shelf === undefined) throw new TypeError("the library has no such time");
  let lock: Lock | undefined;
  try {
    lock = await holdFolder(path, shelf.site.origin);
    const folder = await ExportFolder.open(path, { site: shelf.site.origin, time: shelf.facts.id });
    try {
      return await new TimesExporter(folder, parts, shelf.site).run();
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw diskError(error, `writing ${path}`);
  } finally {
    lock?.release();
  }
}

/** A time that is in the export by now. */
interface DoneTime {
  readonly facts: TimeFacts;
  readonly pages: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

class TimesExporter {
  readonly #folder: ExportFolder;
  readonly #parts: TimesExport;
  readonly #site: SnapshotView["site"];
  readonly #version = programVersion();
  #facts: FolderFacts = { written: 0, linked: 0, kept: 0, removed: 0, bytes: 0 };
  #pages = 0;
  readonly #failures: ExportedSite["failures"][number][] = [];

  constructor(folder: ExportFolder, parts: TimesExport, site: SnapshotView["site"]) {
    this.#folder = folder;
    this.#parts = parts;
    this.#site = site;
  }

  async run(): Promise<ExportedSite> {
    const { times, path } = this.#parts;
    const there = new Set(await timesIn(path));
    let before: DoneTime | undefined;
    for (const facts of times) {
      before = (await this.#whole(facts, before)) ?? (await this.#make(facts, before, [...there]));
      there.add(facts.id);
      this.#pages += before.pages.size;
    }
    await exportAssets(this.#folder);
    await this.#folder.put(TIMES_FILE, timesScript(times));
    await this.#folder.put("times.html", timesPage(this.#site, times));
    await this.#folder.put("index.html", firstPage(this.#site, times));
    const removed = await removeTimes(path, this.#site.origin, new Set(times.map(({ id }) => id)));
    await this.#folder.finish();
    this.#add(this.#folder.facts);
    const facts = this.#facts;
    return { ...facts, removed: facts.removed + removed, pages: this.#pages, failures: this.#failures };
  }

  /** undefined: it has to be made. */
  async #whole(facts: TimeFacts, before: DoneTime | undefined): Promise<DoneTime | undefined> {
    await checkTimeFolder(this.#parts.path, facts.id);
    const made = { by: this.#version, before: before?.facts.id ?? null };
    const whole = await wholeTime(this.#parts.path, facts.id, made);
    if (whole === undefined) return undefined;
    this.#folder.keep(whole.media);
    this.#add({ written: 0, linked: 0, kept: whole.files, removed: 0, bytes: 0 });
    return { facts, pages: whole.pages, lost: new Set() };
  }

  async #make(facts: TimeFacts, before: DoneTime | undefined, there: readonly string[]): Promise<DoneTime> {
    const { path, library } = this.#parts;
    const shelf = await this.#shelf(facts.id);
    // The time before comes first: most is as it was there.
    const twins = [
      ...(before === undefined ? [] : [before.facts.id]),
      ...there.filter((id) => id > facts.id).slice(0, 1),
    ];
    const compared = before && (await comparedPages(await this.#shelf(before.facts.id), shelf));
    const folder = await ExportFolder.open(timeFolder(path, facts.id), {
      ...{ site: this.#site.origin, time: facts.id },
      compared: before === undefined ? [] : [before.facts.id],
      twins: twins.map((id) => timeFolder(path, id)),
    });
    try {
      const media = new MediaNames();
      const { pages, lost, failures } = await exportTime({
        ...{ ...this.#parts, shelf, folder, mediaFolder: this.#folder, shared: SHARED },
        ...(compared !== undefined && { compared }),
        onMedium: (name) => media.add(name),
        library: libraryOf(library, this.#parts.times, async (id) => {
          const other = await this.#shelf(id);
          return id === before?.facts.id ? withoutMedia(other, before.lost) : other;
        }),
      });
      if (compared !== undefined && before !== undefined)
        await folder.put(CHANGES_FILE, changesScript(facts.id, timeChanges(compared, before.pages, pages)));
      // Of two items with the same content the second did not wait for the first.
      for (const sha256 of lost) media.forget(sha256);
      await folder.putMediaList(media);
      await folder.finish({
        ...{ by: this.#version, before: before?.facts.id ?? null },
        failures: failures.length,
      });
      this.#add(folder.facts);
      this.#failures.push(...failures);
      return { facts, pages, lost };
    } finally {
      await folder.close();
    }
  }

  async #shelf(id: string): Promise<SnapshotView> {
    const shelf = await this.#parts.library.at(id);
    if (shelf === undefined) throw new TypeError(`the library has no time ${id}`);
    return shelf;
  }

  #add(facts: FolderFacts): void {
    const sum = this.#facts;
    this.#facts = {
      written: sum.written + facts.written,
      linked: sum.linked + facts.linked,
      kept: sum.kept + facts.kept,
      removed: sum.removed + facts.removed,
      bytes: sum.bytes + facts.bytes,
    };
  }
}

/** Another version may make other pages. */
function programVersion(): string {
  const file = createRequire(import.meta.url).resolve("guideferry/package.json");
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
}

/** What is exported, and where to. */
export interface SiteExport {
  readonly library: Library;
  readonly shelf: SnapshotView;
  /** The folder: new, empty, or an earlier export of the same site. */
  readonly path: string;
  /** Ends the export; the same call goes on. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

export interface ExportedSite extends FolderFacts {
  readonly pages: number;
  /** What could not be read; its page says so. */
  readonly failures: readonly ExportFailure[];
}

/**
 * Writes the pages of one time, with their media and the index of the search, as files whose links
 * are relative. Throws UsageError for a folder that holds something else, ArchiveError when the
 * disk fails or another export writes there, what the library throws, and the signal's reason.
 */
export async function exportSite(parts: SiteExport): Promise<ExportedSite> {
  const { shelf, path } = parts;
  let lock: Lock | undefined;
  try {
    lock = await holdFolder(path, shelf.site.origin);
    const folder = await ExportFolder.open(path, { site: shelf.site.origin, time: shelf.facts.id });
    try {
      return await fill(folder, parts);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw diskError(error, `writing ${path}`);
  } finally {
    lock?.release();
  }
}

async function fill(folder: ExportFolder, parts: SiteExport): Promise<ExportedSite> {
  const { library, shelf, path } = parts;
  const alone = libraryOf(library, [shelf.facts], async () => shelf);
  const { pages, failures } = await exportTime({ ...parts, library: alone, folder, mediaFolder: folder });
  await exportAssets(folder);
  const removed = await removeTimes(path, shelf.site.origin, new Set());
  await folder.finish();
  return { ...folder.facts, removed: folder.facts.removed + removed, pages: pages.size, failures };
}

/**
 * Writes the files of the reader itself. Throws FerryError when the installation is broken, and
 * what the disk says.
 */
async function exportAssets(folder: ExportFolder): Promise<void> {
  for (const name of ASSET_NAMES) {
    const asset = assetOf(name);
    if (asset === undefined)
      throw new FerryError(`guideferry is not installed whole: its file ${name} is missing. Install it anew.`);
    await folder.put(`assets/${name}`, await readFile(asset.file));
  }
}

/**
 * What pages of an export know of its library: the times that the export has, and nothing of
 * others. `shelfOf`: the site at one of them.
 */
function libraryOf(library: Library, shelves: readonly SnapshotView["facts"][], shelfOf: Library["at"]): Library {
  return {
    path: library.path,
    remarks: library.remarks,
    times: shelves,
    at: async (id) => (shelves.some((time) => time.id === id) ? shelfOf(id) : undefined),
    close: () => library.close(),
  };
}
