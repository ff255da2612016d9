import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SiteIdentity } from "../../../core/model/identity.js";
import { Table } from "../../components/elements.js";
import { Foreign } from "../../components/foreign.js";
import { PageFrame, pageHtml } from "../../components/page-frame.js";
import { dayWords, momentWords } from "../../components/words.js";
import { assetAddress } from "../assets.js";
import type { TimeFacts } from "../library.js";
import { ExportFolder } from "./export-folder.js";
import type { TimeChanges } from "./export-time.js";
import {
  codeOf,
  FILE_LIST,
  listIn,
  MARKER,
  type MadeFrom,
  MEDIA_LIST,
  readMarker,
  refuseLink,
  removeEmpty,
} from "./prepare-folder.js";

/** The folder of a time inside of an export. */
export function timeFolder(path: string, id: string): string {
  return join(path, TIMES_FOLDER, id);
}

/**
 * Throws UsageError where a link stands in the place of a time's folder, which would lead a write
 * elsewhere; what the system says.
 */
export async function checkTimeFolder(path: string, id: string): Promise<void> {
  await refuseLink(path, TIMES_FOLDER);
  await refuseLink(path, `${TIMES_FOLDER}/${id}`);
}

/** A time that needs no work. */
interface WholeTime {
  /** The addresses of its own pages, those that compare apart. */
  readonly pages: ReadonlySet<string>;
  /** The addresses of its media, where all times share them. */
  readonly media: ReadonlySet<string>;
  /** The number of its files. */
  readonly files: number;
}

/**
 * A time that an earlier run wrote to its end, from the same, if all of its files are there; else
 * undefined. Throws what the system says.
 */
export async function wholeTime(
  path: string,
  id: string,
  { by, before }: Pick<MadeFrom, "by" | "before">,
): Promise<WholeTime | undefined> {
  const folder = timeFolder(path, id);
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

/** Of the files of a time, its own pages. */
function pagesAmong(files: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...files].filter((file) => file.endsWith(".html") && !file.startsWith("changes/")));
}

/**
 * Removes what exports wrote of other times; returns the number of files. Throws what the system
 * says.
 */
export async function removeTimes(path: string, site: string, keep: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const id of await timesIn(path)) {
    if (keep.has(id)) continue;
    await checkTimeFolder(path, id);
    const folder = await ExportFolder.open(timeFolder(path, id), { site, time: id });
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

/**
 * The ids of times that an export has, finished or not; folders of somebody else are passed over.
 */
export async function timesIn(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await namesIn(join(path, TIMES_FOLDER)))
    if (isTimeId(name) && (await isThere(join(timeFolder(path, name), MARKER)))) found.push(name);
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

/** No scripts here; a page from a disk has no origin, so `file:` stands for it. */
const POLICY = "default-src 'none'; img-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'";

/** The first page of an export of several times: it leads to the latest. */
export function firstPage(site: SiteIdentity, times: readonly TimeFacts[]): string {
  const latest = `${TIMES_FOLDER}/${times.at(-1)?.id ?? ""}/index.html`;
  return pageHtml(
    <Frame site={site} title={site.name} head={<meta http-equiv="refresh" content={`0; url=${latest}`} />}>
      <h1>
        <Foreign text={site.name} />
      </h1>
      <p>
        <a href={latest}>The latest time</a>
      </p>
      <p>
        <a href="times.html">All times</a>
      </p>
    </Frame>,
  );
}

/** All times of an export, the latest first, with the way to what changed in each. */
export function timesPage(site: SiteIdentity, times: readonly TimeFacts[]): string {
  const rows = times
    .map(({ id, time, complete }, at) => [
      <a href={`${TIMES_FOLDER}/${id}/index.html`}>{momentWords(time)}</a>,
      complete ? "whole" : "some items failed",
      <Changes id={id} before={times[at - 1]} />,
    ])
    .toReversed();
  return pageHtml(
    <Frame site={site} title={`Times · ${site.name}`}>
      <h1>Times</h1>
      <p>The site as it was at each of these times. Every page also leads to itself at the others.</p>
      <Table label="Times" head={["When", "How it went", "Changes"]} rows={rows} />
    </Frame>,
  );
}

function Changes({ id, before }: { readonly id: string; readonly before: TimeFacts | undefined }): JSX.Element {
  if (before === undefined) return <span class="muted">the first time</span>;
  return (
    <a href={`${TIMES_FOLDER}/${id}/changes/${before.id}.html`}>{`what changed since ${momentWords(before.time)}`}</a>
  );
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
          <Foreign text={site.name} />
        </a>
      </header>
      <main id="main">
        <div class="page-body">{children}</div>
      </main>
    </PageFrame>
  );
}

/**
 * The name of the file with what changed, at the root of a time; and of the one with all times, at
 * the root of all.
 */
export const CHANGES_FILE = "changes.js";
export const TIMES_FILE = "times.js";

/**
 * Tells the pages of an export what changed between a time and the one before.
 * `src/web/reader/browser/times.ts` takes it.
 */
export function changesScript(time: string, changes: TimeChanges): string {
  return told(time, changes);
}

/** Tells the pages of an export all of its times. */
export function timesScript(times: readonly TimeFacts[]): string {
  return told(
    "times",
    times.map(({ id, time }) => ({ id, day: dayWords(time), moment: momentWords(time) })),
  );
}

/**
 * From a disk pages may load scripts and nothing else; there it tells. Over http pages read it as a
 * text: a script that told there would tell the pages of any other site too, and nobody can pretend
 * to another `location`. All in it is ASCII.
 */
function told(name: string, value: object): string {
  return `location.protocol==="file:"&&readerTimes(${JSON.stringify(name)},${JSON.stringify(value)});\n`;
}

/** The folder of all times, each in one that has its id for a name and is an export by itself. */
const TIMES_FOLDER = "at";
const TIME = /^(?:\d{8}T\d{6}Z|now)$/;
/** Is it the id of a time, which is the name of its folder? */
function isTimeId(name: string): boolean {
  return TIME.test(name);
}
