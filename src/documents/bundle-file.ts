import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, copyFile, mkdir, mkdtemp, open, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathOfAddress } from "../../transforms/omanual/addresses.js";
import { readBundle } from "../../transforms/omanual/write/read-bundle.js";
import { type BundleFile, writeBundle } from "../../transforms/omanual/write/write-bundle.js";
import { ArchiveError, EXIT, messageOf, UsageError } from "../core/errors.js";
import type { Files } from "../core/formats.js";
import type { Report } from "../core/model/issue.js";
import type { Item, MediaItem } from "../core/model/item.js";
import { isMediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { digest } from "../core/util/json.js";
import { makeBeside } from "../storage/archive/beside.js";
import { onDisk } from "../storage/archive/disk-error.js";
import { DEFAULT_LIMITS } from "../storage/archive/limits.js";
import { openArchive } from "../storage/archive/open-archive.js";
import { type NewEntry, writeArchive } from "../storage/archive/write-archive.js";
import type { MediaReader } from "../storage/workspace/media-store.js";
import type { BundleContent } from "./bundle-content.js";

interface BundleFileParts {
  readonly content: BundleContent;
  readonly store: MediaReader;
  readonly scratch: string;
  /** Scheme and host of the site that the items are of; empty: they are of none. */
  readonly origin: string;
  /** Takes what oManual can't hold. */
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Files of a bundle. Default: as many as the archive guard lets pass. */
  readonly most?: number;
}

export interface WrittenFile extends BundleVerification {
  /** false: the file had these very bytes. */
  readonly written: boolean;
}

/**
 * Writes a bundle, whole or not at all; its folder is made where there is none. It is read back and
 * compared before it takes the place of an earlier one. A file that has these very bytes stays
 * untouched. Throws ArchiveError when the disk fails, WorkspaceError when an item or the bytes of a
 * medium can't be read, UsageError when the guard would not let it pass, StoppedError, and the
 * signal's reason.
 */
export async function writeBundleFile(path: string, parts: BundleFileParts): Promise<WrittenFile> {
  const doing = `writing ${path}`;
  await onDisk(doing, mkdir(parts.scratch, { recursive: true, mode: 0o700 }));
  const folder = await onDisk(doing, mkdtemp(join(parts.scratch, "bundle-")));
  try {
    const made = join(folder, "bundle.omanual");
    await writeArchive(made, entriesOf(path, parts), { signal: parts.signal });
    const compared = await readBack(path, made, parts);
    const destination = (await exists(path)) ? await realpath(path) : path;
    const own = await digestOf(made, doing);
    if ((await exists(destination)) && (await digestOf(destination, doing)) === own)
      return { ...compared, written: false };
    // The workspace may lie on another disk, where nothing can be renamed to here.
    await makeBeside(destination, doing, async (temporary) => {
      await onDisk(doing, copySynced(made, temporary));
      if ((await digestOf(temporary, doing)) !== own) throw damagedCopy(path);
    });
    return { ...compared, written: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readBack(path: string, made: string, { content, signal }: BundleFileParts): Promise<BundleVerification> {
  try {
    return await verifyBundleFile(made, content, signal);
  } catch (cause) {
    if (!(cause instanceof ArchiveError) || cause.findings.length === 0) throw cause;
    const reasons = cause.findings.map(({ code, entry, detail }) => `\n  ${code} ${entry ?? ""}: ${detail}`);
    throw new UsageError(
      `${path} was not written: whoever reads it would refuse it as it would be.${reasons.join("")}\n` +
        "Leave out what these belong to (--exclude), or migrate from site to site.",
      { cause },
    );
  }
}

function damagedCopy(path: string): ArchiveError {
  return new ArchiveError(`${path} was not written: the disk gave back other bytes than it took. Check the disk.`, {
    exitCode: EXIT.stopped,
  });
}

async function* entriesOf(path: string, parts: BundleFileParts): AsyncGenerator<NewEntry> {
  for await (const { path: name, content } of bundleFiles(path, parts))
    yield { path: name, content: typeof content === "string" ? content : parts.store.open(content.media) };
}

/**
 * The files of a bundle for that path, in their order. Throws UsageError when there are too many.
 */
export async function* bundleFiles(
  path: string,
  {
    content,
    origin,
    report,
    most = DEFAULT_LIMITS.entries,
  }: Pick<BundleFileParts, "content" | "origin" | "report" | "most">,
): AsyncGenerator<BundleFile> {
  const options = origin === "" ? {} : { origin };
  let count = 0;
  for await (const file of writeBundle(content.items, content.media, report, options)) {
    count += 1;
    if (count > most) throw tooMany(path, most);
    yield file;
  }
}

function tooMany(path: string, most: number): UsageError {
  return new UsageError(
    `${path} can't be written: it would hold more than ${most.toLocaleString("en-US")} files, and no more are read from an archive. Write one bundle ` +
      "for each category into a folder, with --split category, or choose less with --include.",
  );
}

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const handle = await open(to, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function digestOf(path: string, doing: string): Promise<string> {
  const hash = createHash("sha256");
  await onDisk(doing, pipeline(createReadStream(path), hash));
  return hash.digest("hex");
}

export interface BundleDifference {
  readonly key: Key;
  /**
   * `missing`: not in the bundle; `unexpected`: only there; `changed`: it says something else;
   * `bytes`: a medium has other ones.
   */
  readonly what: "missing" | "unexpected" | "changed" | "bytes";
}

export interface BundleVerification {
  readonly items: number;
  readonly differences: readonly BundleDifference[];
}

/**
 * Reads a bundle back and compares each item with what should be there, whole, and the bytes of
 * media too. Some hundred bytes an item are in memory. Throws ArchiveError when the bundle is
 * refused or can't be read.
 */
export async function verifyBundleFile(
  path: string,
  content: BundleContent,
  signal: AbortSignal,
): Promise<BundleVerification> {
  const { digests: expected, named } = await digestsOf(content);
  const files = await openArchive(path);
  const paths = new Set(files.paths);
  const differences: BundleDifference[] = [];
  const found = new Set<Key>();
  try {
    for await (const item of readBundle(files, () => undefined)) {
      signal.throwIfAborted();
      found.add(item.key);
      if (item.kind === "category" && named.has(item.body.title) && !expected.has(item.key)) continue;
      const what = await differenceOf(item, expected.get(item.key), content, { files, paths });
      if (what !== undefined) differences.push({ key: item.key, what });
    }
  } finally {
    await files.close();
  }
  for (const key of expected.keys()) if (!found.has(key)) differences.push({ key, what: "missing" });
  return { items: expected.size, differences };
}

export async function missingBundle(content: BundleContent): Promise<BundleVerification> {
  const { digests } = await digestsOf(content);
  return { items: digests.size, differences: [...digests.keys()].map((key) => ({ key, what: "missing" })) };
}

interface Expected {
  readonly digests: ReadonlyMap<Key, string>;
  /**
   * Titles of categories that items name: readers make an empty page of one that has no document.
   */
  readonly named: ReadonlySet<string>;
}

async function digestsOf({ items, media }: BundleContent): Promise<Expected> {
  const digests = new Map<Key, string>();
  const named = new Set<string>();
  for await (const item of items) {
    digests.set(item.key, digest(withoutPlaces(item)));
    if (item.kind === "guide") named.add(item.body.category);
    if (item.kind === "category" && item.body.parent !== null) named.add(item.body.parent);
    // The set grows while it is read: the poster of a video goes with it.
    const wanted = new Set(item.media.map(({ key }) => key));
    for (const key of wanted) {
      const medium = digests.has(key) ? undefined : await media(key);
      if (medium === undefined) continue;
      digests.set(key, digest(withoutPlaces(medium)));
      if (medium.body.poster !== undefined) wanted.add(medium.body.poster);
    }
  }
  return { digests, named };
}

interface OpenedBundle {
  readonly files: Files;
  readonly paths: ReadonlySet<string>;
}

async function differenceOf(
  item: Item,
  expected: string | undefined,
  { media }: BundleContent,
  opened: OpenedBundle,
): Promise<BundleDifference["what"] | undefined> {
  if (expected === undefined) return "unexpected";
  if (digest(withoutPlaces(item)) !== expected) return "changed";
  if (!isMediaItem(item)) return undefined;
  const stored = await media(item.key);
  if (stored?.body.content == null) return undefined;
  return (await contentOf(item, opened)) === stored.body.content.sha256 ? undefined : "bytes";
}

/** Where bytes are fetched from, and that they are stored, is another matter in a package. */
function withoutPlaces(item: Item): Item {
  const media = item.media.map((use) => ({ ...use, url: null }));
  return isMediaItem(item) ? { ...item, media, body: { ...item.body, url: "", content: null } } : { ...item, media };
}

async function contentOf({ body }: MediaItem, { files, paths }: OpenedBundle): Promise<string | undefined> {
  const path = pathOfAddress(body.url);
  if (path === undefined || !paths.has(path)) return undefined;
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) hash.update(piece);
  return hash.digest("hex");
}

/** The sidecars of guideferry: beside documents, and of items without one. */
const SIDECAR = /(?:^|\/)(?:guideferry\.json|guideferry\/[^/]+\.json)$/;

/**
 * Throws UsageError when a bundle can't be written there, before anything is read: the path is a
 * folder or a file that guideferry didn't write, which is not replaced, or its folder takes no
 * files. Throws ArchiveError when the disk fails.
 */
export async function refuseBundlePath(path: string): Promise<void> {
  const found = await statOf(path);
  if (found === undefined) return refuseFolder(path);
  if (found.isDirectory()) throw new UsageError(`${path} is a folder, and a bundle is a file. Name a file in it.`);
  if (!found.isFile()) throw new UsageError(`${path} is no ordinary file. Name another one for the bundle.`);
  await refuseForeign(path);
  await refuseFolder(path);
}

export async function exists(path: string): Promise<boolean> {
  return (await statOf(path)) !== undefined;
}

/**
 * Did guideferry write it? Throws ArchiveError when it is no archive, is refused or can't be read.
 */
export async function isOwnBundle(path: string): Promise<boolean> {
  const files = await openArchive(path, { readContents: false });
  await files.close();
  return files.paths.some((each) => SIDECAR.test(each));
}

async function refuseForeign(path: string): Promise<void> {
  const advice = "It was left as it is. Take it away, or name another file for the bundle.";
  try {
    if (await isOwnBundle(path)) return;
  } catch (cause) {
    // Without a finding it is the disk that failed, and says nothing of who wrote it.
    if (!(cause instanceof ArchiveError) || cause.findings.length === 0) throw cause;
    throw new UsageError(`${path} is there already, and no bundle that guideferry wrote. ${advice}`, { cause });
  }
  throw new UsageError(`${path} is there already, and guideferry did not write it. ${advice}`);
}

/** The nearest folder that is there must take files. */
async function refuseFolder(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await statOf(folder);
  if (found === undefined) return refuseFolder(folder);
  if (!found.isDirectory()) throw new UsageError(`${path} can't be written: ${folder} is no folder.`);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(`${path} can't be written: nothing can be made in the folder ${folder}. Check its rights.`, {
      cause,
    });
  }
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
      return undefined;
    throw new UsageError(`${path} can't be looked at: ${messageOf(cause)}. Check the path and its rights.`, { cause });
  }
}
