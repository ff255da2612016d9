import { readFileSync } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { z } from "zod";
import { FerryError } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/identity.js";
import { diskError } from "../../../storage/archive/disk-error.js";
import type { Lock } from "../../../storage/workspace/lock.js";
import { Table } from "../../components/elements.js";
import { PageFrame, pageHtml } from "../../components/page-frame.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { ASSET_NAMES, assetAddress, assetOf } from "../assets.js";
import type { Library, SnapshotFacts, SnapshotView } from "../library.js";
import { snapshotDay, snapshotMoment } from "../snapshot-words.js";
import {
  codeOf,
  ExportFolder,
  FILE_LIST,
  type FolderFacts,
  holdFolder,
  listIn,
  MARKER,
  type MadeFrom,
  MEDIA_LIST,
  MediaNames,
  readMarker,
  refuseLink,
  removeEmpty,
} from "./export-folder.js";
import {
  comparedPages,
  type ExportFailure,
  type ExportProgress,
  exportSnapshot,
  type SnapshotChanges,
  snapshotChanges,
  withoutMedia,
} from "./export-snapshot.js";

export interface SnapshotsExport {
  readonly library: Library;
  /** Oldest first, at least one. */
  readonly times: readonly SnapshotFacts[];
  /** New, empty, or an earlier export of the same site. */
  readonly path: string;
  /** Ends the export; the same call resumes it. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

/** From the root of a snapshot to the files that all snapshots share. */
const SHARED = "../../";

/**
 * Writes each snapshot below `at/<id>/` with pages that compare it with the snapshot before, and
 * shared media and assets once. Equal pages are hard links where the disk has them. Leaves a
 * snapshot that the same version completed. Throws as `exportSite`.
 */
export async function exportSnapshots(parts: SnapshotsExport): Promise<ExportedSite> {
  const { library, times, path } = parts;
  const last = times.at(-1);
  const snapshot = last && (await library.at(last.id));
  if (snapshot === undefined) throw new TypeError("the library has no such snapshot");
  let lock: Lock | undefined;
  try {
    lock = await holdFolder(path, snapshot.site.origin);
    const folder = await ExportFolder.open(path, { site: snapshot.site.origin, time: snapshot.facts.id });
    try {
      return await new SnapshotsExporter(folder, parts, snapshot.site).run();
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw diskError(error, `writing ${path}`);
  } finally {
    lock?.release();
  }
}

interface DoneSnapshot {
  readonly facts: SnapshotFacts;
  readonly pages: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

class SnapshotsExporter {
  readonly #folder: ExportFolder;
  readonly #parts: SnapshotsExport;
  readonly #site: SnapshotView["site"];
  readonly #version = programVersion();
  #facts: FolderFacts = { written: 0, linked: 0, kept: 0, removed: 0, bytes: 0 };
  #pages = 0;
  readonly #failures: ExportedSite["failures"][number][] = [];

  constructor(folder: ExportFolder, parts: SnapshotsExport, site: SnapshotView["site"]) {
    this.#folder = folder;
    this.#parts = parts;
    this.#site = site;
  }

  async run(): Promise<ExportedSite> {
    const { times, path } = this.#parts;
    const there = new Set(await snapshotsIn(path));
    let before: DoneSnapshot | undefined;
    for (const facts of times) {
      before = (await this.#whole(facts, before)) ?? (await this.#make(facts, before, [...there]));
      there.add(facts.id);
      this.#pages += before.pages.size;
    }
    await exportAssets(this.#folder);
    await this.#folder.put(TIMES_FILE, snapshotsScript(times));
    await this.#folder.put("times.html", snapshotsPage(this.#site, times));
    await this.#folder.put("index.html", firstPage(this.#site, times));
    const removed = await removeSnapshots(path, this.#site.origin, new Set(times.map(({ id }) => id)));
    await this.#folder.finish();
    this.#add(this.#folder.facts);
    const facts = this.#facts;
    return { ...facts, removed: facts.removed + removed, pages: this.#pages, failures: this.#failures };
  }

  /** undefined: it has to be made. */
  async #whole(facts: SnapshotFacts, before: DoneSnapshot | undefined): Promise<DoneSnapshot | undefined> {
    await checkSnapshotFolder(this.#parts.path, facts.id);
    const made = { by: this.#version, before: before?.facts.id ?? null };
    const whole = await completeSnapshot(this.#parts.path, facts.id, made);
    if (whole === undefined) return undefined;
    this.#folder.keep(whole.media);
    this.#add({ written: 0, linked: 0, kept: whole.files, removed: 0, bytes: 0 });
    return { facts, pages: whole.pages, lost: new Set() };
  }

  async #make(facts: SnapshotFacts, before: DoneSnapshot | undefined, there: readonly string[]): Promise<DoneSnapshot> {
    const { path, library } = this.#parts;
    const snapshot = await this.#snapshot(facts.id);
    // Most pages equal those of the snapshot before.
    const twins = [
      ...(before === undefined ? [] : [before.facts.id]),
      ...there.filter((id) => id > facts.id).slice(0, 1),
    ];
    const compared = before && (await comparedPages(await this.#snapshot(before.facts.id), snapshot));
    const folder = await ExportFolder.open(snapshotFolder(path, facts.id), {
      ...{ site: this.#site.origin, time: facts.id },
      compared: before === undefined ? [] : [before.facts.id],
      twins: twins.map((id) => snapshotFolder(path, id)),
    });
    try {
      const media = new MediaNames();
      const { pages, lost, failures } = await exportSnapshot({
        ...{ ...this.#parts, snapshot, folder, mediaFolder: this.#folder, shared: SHARED },
        ...(compared !== undefined && { compared }),
        onMedium: (name) => media.add(name),
        library: libraryOf(library, this.#parts.times, async (id) => {
          const other = await this.#snapshot(id);
          return id === before?.facts.id ? withoutMedia(other, before.lost) : other;
        }),
      });
      if (compared !== undefined && before !== undefined)
        await folder.put(CHANGES_FILE, changesScript(facts.id, snapshotChanges(compared, before.pages, pages)));
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

  async #snapshot(id: string): Promise<SnapshotView> {
    const snapshot = await this.#parts.library.at(id);
    if (snapshot === undefined) throw new TypeError(`the library has no snapshot ${id}`);
    return snapshot;
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

/** Another version may write other pages. */
function programVersion(): string {
  const file = createRequire(import.meta.url).resolve("guideferry/package.json");
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
}

export interface SiteExport {
  readonly library: Library;
  readonly snapshot: SnapshotView;
  /** New, empty, or an earlier export of the same site. */
  readonly path: string;
  /** Ends the export; the same call resumes it. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

export interface ExportedSite extends FolderFacts {
  readonly pages: number;
  readonly failures: readonly ExportFailure[];
}

/**
 * Writes the pages of one snapshot with their media and search index; all links are relative.
 * Throws UsageError for a folder that holds something else, ArchiveError when the disk fails or
 * another export writes there, what the library throws, and the signal's reason.
 */
export async function exportSite(parts: SiteExport): Promise<ExportedSite> {
  const { snapshot, path } = parts;
  let lock: Lock | undefined;
  try {
    lock = await holdFolder(path, snapshot.site.origin);
    const folder = await ExportFolder.open(path, { site: snapshot.site.origin, time: snapshot.facts.id });
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
  const { library, snapshot, path } = parts;
  const alone = libraryOf(library, [snapshot.facts], async () => snapshot);
  const { pages, failures } = await exportSnapshot({ ...parts, library: alone, folder, mediaFolder: folder });
  await exportAssets(folder);
  const removed = await removeSnapshots(path, snapshot.site.origin, new Set());
  await folder.finish();
  return { ...folder.facts, removed: folder.facts.removed + removed, pages: pages.size, failures };
}

/** Throws FerryError when the installation is broken. */
async function exportAssets(folder: ExportFolder): Promise<void> {
  for (const name of ASSET_NAMES) {
    const asset = assetOf(name);
    if (asset === undefined)
      throw new FerryError(
        `The installation of guideferry is incomplete: the file ${name} is missing. Install guideferry again.`,
      );
    await folder.put(`assets/${name}`, await readFile(asset.file));
  }
}

/** The library with the exported snapshots only. `snapshotAt`: the site at one of them. */
function libraryOf(library: Library, times: readonly SnapshotFacts[], snapshotAt: Library["at"]): Library {
  return {
    path: library.path,
    remarks: library.remarks,
    snapshots: times,
    at: async (id) => (times.some((time) => time.id === id) ? snapshotAt(id) : undefined),
    close: () => library.close(),
  };
}

function snapshotFolder(path: string, id: string): string {
  return join(path, TIMES_FOLDER, id);
}

/** Throws UsageError where a link stands in the place of a snapshot's folder. */
async function checkSnapshotFolder(path: string, id: string): Promise<void> {
  await refuseLink(path, TIMES_FOLDER);
  await refuseLink(path, `${TIMES_FOLDER}/${id}`);
}

interface CompleteSnapshot {
  /** Addresses of its pages, without those that compare. */
  readonly pages: ReadonlySet<string>;
  /** Addresses of its media in the shared folder. */
  readonly media: ReadonlySet<string>;
  readonly files: number;
}

/**
 * A snapshot that an earlier run completed from the same source with all of its files; undefined:
 * it has to be made.
 */
async function completeSnapshot(
  path: string,
  id: string,
  { by, before }: Pick<MadeFrom, "by" | "before">,
): Promise<CompleteSnapshot | undefined> {
  const folder = snapshotFolder(path, id);
  if (!(await isThere(join(folder, MARKER)))) return undefined;
  const marker = await readMarker(folder);
  const { made } = marker;
  const isSame = marker.complete && made?.by === by && made.before === before && made.failures === 0;
  if (!isSame || !(await isThere(join(folder, MEDIA_LIST))) || !(await isThere(join(folder, FILE_LIST))))
    return undefined;
  const [files, media] = [await listIn(folder, FILE_LIST), await listIn(folder, MEDIA_LIST)];
  if (!(await areThere(folder, files)) || !(await areThere(path, media))) return undefined;
  return { pages: pagesAmong(files), media, files: files.size };
}

function pagesAmong(files: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...files].filter((file) => file.endsWith(".html") && !file.startsWith("changes/")));
}

/** Removes other snapshots that exports wrote; returns the number of files. */
async function removeSnapshots(path: string, site: string, keep: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const id of await snapshotsIn(path)) {
    if (keep.has(id)) continue;
    await checkSnapshotFolder(path, id);
    const folder = await ExportFolder.open(snapshotFolder(path, id), { site, time: id });
    try {
      await folder.remove();
    } finally {
      await folder.close();
    }
    removed += folder.facts.removed;
  }
  if (keep.size === 0) await removeEmpty(join(path, TIMES_FOLDER));
  return removed;
}

/** Ids of exported snapshots, finished or not; other folders are ignored. */
async function snapshotsIn(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await namesIn(join(path, TIMES_FOLDER)))
    if (isSnapshotId(name) && (await isThere(join(snapshotFolder(path, name), MARKER)))) found.push(name);
  return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

async function areThere(folder: string, files: ReadonlySet<string>): Promise<boolean> {
  for (const file of files) if (!(await isThere(join(folder, file)))) return false;
  return true;
}

async function isThere(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

/** No scripts. A page from a disk has no origin, so `file:` stands for it. */
const POLICY = "default-src 'none'; img-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'";

function firstPage(site: SiteIdentity, times: readonly SnapshotFacts[]): string {
  const latest = `${TIMES_FOLDER}/${times.at(-1)?.id ?? ""}/index.html`;
  return pageHtml(
    <Frame site={site} title={site.name} head={<meta http-equiv="refresh" content={`0; url=${latest}`} />}>
      <h1>
        <UntrustedText text={site.name} />
      </h1>
      <p>
        <a href={latest}>Latest snapshot</a>
      </p>
      <p>
        <a href="times.html">All snapshots</a>
      </p>
    </Frame>,
  );
}

function snapshotsPage(site: SiteIdentity, times: readonly SnapshotFacts[]): string {
  const rows = times
    .map(({ id, time, complete }, at) => [
      <a href={`${TIMES_FOLDER}/${id}/index.html`}>{snapshotMoment(times, { time })}</a>,
      complete ? "complete" : "some items failed",
      <Changes id={id} times={times} before={times[at - 1]} />,
    ])
    .toReversed();
  return pageHtml(
    <Frame site={site} title={`Snapshots · ${site.name}`}>
      <h1>Snapshots</h1>
      <p>Each snapshot shows the site at one date. The menu of each page leads to the same page in other snapshots.</p>
      <Table label="Snapshots" head={["Date", "Status", "Changes"]} rows={rows} />
    </Frame>,
  );
}

interface ChangesProps {
  readonly id: string;
  readonly times: readonly SnapshotFacts[];
  readonly before: SnapshotFacts | undefined;
}

function Changes({ id, times, before }: ChangesProps): JSX.Element {
  if (before === undefined) return <span class="muted">first snapshot</span>;
  const words = `changes since ${snapshotMoment(times, before)}`;
  return <a href={`${TIMES_FOLDER}/${id}/changes/${before.id}.html`}>{words}</a>;
}

interface FrameProps {
  readonly site: SiteIdentity;
  readonly title: string;
  readonly head?: Child;
  readonly children: Child;
}

function Frame({ site, title, head, children }: FrameProps): JSX.Element {
  const links = (
    <>
      <link rel="icon" type="image/svg+xml" href={assetAddress("icon.svg")} />
      <link rel="stylesheet" href={assetAddress("style.css")} />
      {head}
    </>
  );
  return (
    <PageFrame title={title} policy={POLICY} head={links}>
      <header class="top">
        <a class="site" href="index.html">
          <UntrustedText text={site.name} />
        </a>
      </header>
      <main id="main">
        <div class="page-body">{children}</div>
      </main>
    </PageFrame>
  );
}

/** Of the changes of one snapshot, and of the list of all snapshots. */
const CHANGES_FILE = "changes.js";
const TIMES_FILE = "times.js";

/** Read by `src/web/reader/browser/times.ts`. */
function changesScript(time: string, changes: SnapshotChanges): string {
  return scriptOf(time, changes);
}

function snapshotsScript(times: readonly SnapshotFacts[]): string {
  return scriptOf(
    "times",
    times.map(({ id, time }) => ({
      id,
      day: snapshotDay(times, { time }),
      moment: snapshotMoment(times, { time }),
    })),
  );
}

/**
 * From a disk pages may load scripts only. Over HTTP pages read it as text, and it does nothing as
 * a script: another site's page could load it. ASCII only.
 */
function scriptOf(name: string, value: object): string {
  return `location.protocol==="file:"&&readerTimes(${JSON.stringify(name)},${JSON.stringify(value)});\n`;
}

/** Holds a folder for each snapshot, named by its id and an export by itself. */
const TIMES_FOLDER = "at";
const TIME = /^(?:\d{8}T\d{6}Z|now)$/;
function isSnapshotId(name: string): boolean {
  return TIME.test(name);
}
