import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeBundle } from "../../../transforms/omanual/write/bundle/write-bundle.js";
import { makeBeside } from "../../archive/beside.js";
import { onDisk } from "../../archive/disk-error.js";
import { DEFAULT_LIMITS } from "../../archive/limits.js";
import { type NewEntry, writeArchive } from "../../archive/write-archive.js";
import { UsageError } from "../../errors.js";
import type { Report } from "../../model/issue.js";
import type { MediaReader } from "../../workspace/media-store.js";
import type { BundleContent } from "./bundle-content.js";
import { exists } from "./own-bundle.js";

export interface BundleFileParts {
  readonly content: BundleContent;
  /** Where the bytes of media come from. */
  readonly store: MediaReader;
  /** A folder for what is needed during the run only. */
  readonly scratch: string;
  /** Scheme and host of the site that the items are of; empty: they are of none. */
  readonly origin: string;
  /** Takes what oManual can't hold. */
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Files of a bundle. Default: as many as the archive guard lets pass. */
  readonly most?: number;
}

/**
 * Writes a bundle, whole or not at all; its folder is made where there is none. A file that has these very bytes stays untouched.
 * Returns whether it was written. Throws ArchiveError when the disk fails, WorkspaceError when an item or the bytes of a medium can't
 * be read, UsageError when it would have too many files, StoppedError, and the signal's reason.
 */
export async function writeBundleFile(path: string, parts: BundleFileParts): Promise<boolean> {
  const doing = `writing ${path}`;
  await onDisk(doing, mkdir(parts.scratch, { recursive: true, mode: 0o700 }));
  const folder = await onDisk(doing, mkdtemp(join(parts.scratch, "bundle-")));
  try {
    const made = join(folder, "bundle.omanual");
    await writeArchive(made, entriesOf(path, parts), { signal: parts.signal });
    const goal = (await exists(path)) ? await realpath(path) : path;
    if ((await exists(goal)) && (await digestOf(goal, doing)) === (await digestOf(made, doing))) return false;
    // The workspace may lie on another disk, where nothing can be renamed to here.
    await makeBeside(goal, doing, (temporary) => onDisk(doing, copySynced(made, temporary)));
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* entriesOf(
  path: string,
  { content, store, origin, report, most = DEFAULT_LIMITS.entries }: BundleFileParts,
): AsyncGenerator<NewEntry> {
  const options = origin === "" ? {} : { origin };
  let count = 0;
  for await (const { path: name, content: file } of writeBundle(content.items, content.media, report, options)) {
    count += 1;
    if (count > most) throw tooMany(path, most);
    yield { path: name, content: typeof file === "string" ? file : store.open(file.media) };
  }
}

/** The guard would refuse to read it back. */
function tooMany(path: string, most: number): UsageError {
  return new UsageError(
    `${path} was not written: it would hold more than ${most.toLocaleString("en-US")} files, and no more are read from an archive. Write one bundle ` +
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
