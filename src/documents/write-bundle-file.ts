import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BundleFile } from "../../transforms/omanual/write/bundle/bundle-file.js";
import { writeBundle } from "../../transforms/omanual/write/bundle/write-bundle.js";
import { makeBeside } from "../storage/archive/beside.js";
import { onDisk } from "../storage/archive/disk-error.js";
import { DEFAULT_LIMITS } from "../storage/archive/limits.js";
import { type NewEntry, writeArchive } from "../storage/archive/write-archive.js";
import { ArchiveError, EXIT, UsageError } from "../core/errors.js";
import type { Report } from "../core/model/issue.js";
import type { MediaReader } from "../storage/workspace/media-store.js";
import type { BundleContent } from "./bundle-content.js";
import { exists } from "./own-bundle.js";
import { type BundleVerification, verifyBundleFile } from "./verify-bundle-file.js";

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

/** What became of a bundle. */
export interface WrittenFile extends BundleVerification {
  /** false: the file had these very bytes. */
  readonly written: boolean;
}

/**
 * Writes a bundle, whole or not at all; its folder is made where there is none. It is read back and compared before it takes the
 * place of an earlier one. A file that has these very bytes stays untouched. Throws ArchiveError when the disk fails, WorkspaceError
 * when an item or the bytes of a medium can't be read, UsageError when the guard would not let it pass, StoppedError, and the signal's reason.
 */
export async function writeBundleFile(path: string, parts: BundleFileParts): Promise<WrittenFile> {
  const doing = `writing ${path}`;
  await onDisk(doing, mkdir(parts.scratch, { recursive: true, mode: 0o700 }));
  const folder = await onDisk(doing, mkdtemp(join(parts.scratch, "bundle-")));
  try {
    const made = join(folder, "bundle.omanual");
    await writeArchive(made, entriesOf(path, parts), { signal: parts.signal });
    const compared = await readBack(path, made, parts);
    const goal = (await exists(path)) ? await realpath(path) : path;
    const own = await digestOf(made, doing);
    if ((await exists(goal)) && (await digestOf(goal, doing)) === own) return { ...compared, written: false };
    // The workspace may lie on another disk, where nothing can be renamed to here.
    await makeBeside(goal, doing, async (temporary) => {
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

/** The files of a bundle for that path, in their order. Throws UsageError when there are too many. */
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

/** The guard would refuse to read it back. */
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
