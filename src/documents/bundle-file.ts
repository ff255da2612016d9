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
import { withCommas } from "../core/util/printable-text.js";
import { replaceAtomically } from "../storage/archive/atomic-file.js";
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
  /** Scheme and host of the source; empty: the items are not from a site. */
  readonly origin: string;
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Limit of files in a bundle. Default: that of the archive guard. */
  readonly most?: number;
}

export interface WrittenFile extends BundleVerification {
  /** false: the file has the same bytes already. */
  readonly written: boolean;
}

/**
 * Writes a bundle in one step, after reading it back and comparing it; creates its folder. A file
 * with the same bytes stays untouched. Throws ArchiveError when the disk fails, WorkspaceError when
 * an item or medium can't be read, UsageError when the archive guard would refuse the bundle,
 * StoppedError, and the signal's reason.
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
    // The workspace can be on another disk, from which a file can't be renamed.
    await replaceAtomically(destination, doing, async (temporary) => {
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
      `${path} was not written, since readers would refuse it for these reasons:${reasons.join("")}\n` +
        "Leave the items with these files out (--exclude), or migrate from site to site.",
      { cause },
    );
  }
}

function damagedCopy(path: string): ArchiveError {
  return new ArchiveError(`${path} was not written: the disk returned other bytes than were written. Check the disk.`, {
    exitCode: EXIT.stopped,
  });
}

async function* entriesOf(path: string, parts: BundleFileParts): AsyncGenerator<NewEntry> {
  for await (const { path: name, content } of bundleFiles(path, parts))
    yield { path: name, content: typeof content === "string" ? content : parts.store.open(content.media) };
}

/** The files of a bundle, in order. Throws UsageError when there are too many. */
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
    `${path} was not written: it would have more than ${withCommas(most)} files, the limit for reading an archive. Write one bundle ` +
      "for each category into a folder, with --split category, or choose fewer items with --include.",
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
   * `missing`: not in the bundle; `unexpected`: only in the bundle; `changed`: the item differs;
   * `bytes`: the bytes of a medium differ.
   */
  readonly what: "missing" | "unexpected" | "changed" | "bytes";
}

export interface BundleVerification {
  readonly items: number;
  readonly differences: readonly BundleDifference[];
}

/**
 * Compares the items and media of a bundle with the expected content. Keeps some hundred bytes of
 * each item in memory. Throws ArchiveError when the bundle is refused or can't be read.
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
  /** Categories that items name: readers create an empty page for one without a document. */
  readonly named: ReadonlySet<string>;
}

async function digestsOf({ items, media }: BundleContent): Promise<Expected> {
  const digests = new Map<Key, string>();
  const named = new Set<string>();
  for await (const item of items) {
    digests.set(item.key, digest(withoutPlaces(item)));
    if (item.kind === "guide") named.add(item.body.category);
    if (item.kind === "category" && item.body.parent !== null) named.add(item.body.parent);
    // The loop also visits keys that it adds, as the poster of a video.
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

/** Removes the addresses and stored contents of media, which differ in a package. */
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

/** The sidecars of guideferry: of documents, and of items without a document. */
const SIDECAR = /(?:^|\/)(?:guideferry\.json|guideferry\/[^/]+\.json)$/;

/**
 * Throws UsageError when a bundle can't be written to the path: it is a folder, a file that
 * guideferry didn't write, or in a folder that is not writable. Throws ArchiveError when the disk
 * fails.
 */
export async function refuseBundlePath(path: string): Promise<void> {
  const found = await statOf(path);
  if (found === undefined) return refuseFolder(path);
  if (found.isDirectory())
    throw new UsageError(`${path} is a folder, but a bundle is a file. Name a file in this folder.`);
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file. Name another file for the bundle.`);
  await refuseForeign(path);
  await refuseFolder(path);
}

export async function exists(path: string): Promise<boolean> {
  return (await statOf(path)) !== undefined;
}

/** Did guideferry write it? Throws ArchiveError when it is not an archive, or can't be read. */
export async function isOwnBundle(path: string): Promise<boolean> {
  const files = await openArchive(path, { readContents: false });
  await files.close();
  return files.paths.some((each) => SIDECAR.test(each));
}

async function refuseForeign(path: string): Promise<void> {
  const advice = "The file was not changed. Move it away, or name another file for the bundle.";
  try {
    if (await isOwnBundle(path)) return;
  } catch (cause) {
    // Without a finding, the disk failed, and the writer is unknown.
    if (!(cause instanceof ArchiveError) || cause.findings.length === 0) throw cause;
    throw new UsageError(`${path} exists, but is not a bundle that guideferry wrote. ${advice}`, { cause });
  }
  throw new UsageError(`${path} exists, but guideferry did not write it. ${advice}`);
}

async function refuseFolder(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await statOf(folder);
  if (found === undefined) return refuseFolder(folder);
  if (!found.isDirectory()) throw new UsageError(`${path} cannot be written: ${folder} is not a folder.`);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written: the folder ${folder} is not writable. Check its permissions.`, {
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
    throw new UsageError(`${path} cannot be accessed: ${messageOf(cause)}. Check the path and its permissions.`, {
      cause,
    });
  }
}
