import { createHash } from "node:crypto";
import { readdir, rm, truncate } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import type { Content } from "../core/model/item.js";
import { MEDIA_KINDS } from "../core/model/key.js";
import { ArchiveFile, withArchive } from "../storage/archive/archive-file.js";
import { onDisk } from "../storage/archive/disk-error.js";
import { isDamage } from "../storage/repository/read/damage.js";
import { SalvagedArchive } from "../storage/repository/read/salvage.js";
import { isMovable } from "../storage/repository/write/drafts.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import type { Moves } from "../storage/repository/write/write-files.js";
import { layoutOf } from "../storage/workspace/layout.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import { contentOf } from "./left-out.js";

/**
 * Lets media leave the workspace while the archive with them is written, so that they are on the
 * disk once. undefined: an encrypted archive, which this run could not open after a kill.
 */
export function movesFrom({ media, directory }: Workspace, encryption: Encryption | null): Moves | undefined {
  if (encryption !== null) return undefined;
  return {
    folder: layoutOf(directory).packing,
    moved: async (contents) => {
      for (const content of contents) if (isMovable(content)) await media.remove(content.sha256);
    },
  };
}

/** Removes archived media from the workspace, and the second names of their archives. */
export async function dropArchivedMedia(workspace: Workspace): Promise<void> {
  const { media, archived } = workspace;
  for await (const sha256 of media.here()) if (archived.medium(sha256) !== undefined) await media.remove(sha256);
  await dropPacking(workspace);
}

async function dropPacking({ directory }: Workspace): Promise<void> {
  const { packing } = layoutOf(directory);
  await onDisk(`removing ${packing}`, rm(packing, { recursive: true, force: true }));
}

/**
 * Takes the media back that are only in archives of a snapshot that did not come to be. May be
 * killed and called again. Returns the number of those that are missing or damaged there. Throws
 * the errors of the disk.
 */
export async function takeBack(workspace: Workspace, signal: AbortSignal): Promise<number> {
  const { packing } = layoutOf(workspace.directory);
  const names = await namesIn(packing);
  if (names.length === 0) return 0;
  const lacking = await lackingMedia(workspace);
  for (const name of names) await takeFrom(join(packing, name), lacking, workspace, signal);
  await dropPacking(workspace);
  return [...lacking.keys()].filter((sha256) => !workspace.media.isHere(sha256)).length;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    return onDisk(`reading ${folder}`, Promise.reject(error));
  }
}

/** Present media whose bytes are neither in the workspace nor in an archive, by sha256. */
async function lackingMedia(workspace: Workspace): Promise<ReadonlyMap<string, Content>> {
  const { items, archived, media } = workspace;
  const lacking = new Map<string, Content>();
  for (const kind of MEDIA_KINDS)
    for (const entry of items.entries(kind)) {
      const content = entry.state === "present" ? await contentOf(workspace, entry) : null;
      if (content === null || archived.medium(content.sha256) !== undefined || media.isHere(content.sha256)) continue;
      lacking.set(content.sha256, content);
    }
  return lacking;
}

/** What is taken back at once becomes durable together, and is on the disk twice. */
const FILES_AT_ONCE = 64;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/**
 * From the end of the file, which is cut after each step. Positions come from bytes of media too,
 * so only those of proven contents count. A file that has another name is not cut.
 */
async function takeFrom(
  path: string,
  lacking: ReadonlyMap<string, Content>,
  { media }: Workspace,
  signal: AbortSignal,
): Promise<void> {
  await withArchive(path, async (handle, bytes) => {
    const remains = await SalvagedArchive.of(new ArchiveFile(handle, bytes), path);
    const mayCut = (await handle.stat()).nlink === 1;
    for (const step of stepsOf(remains, lacking)) {
      const taken = await Promise.all(
        step.map(async ({ entry, content }) => {
          if (!(await isWhole(remains, entry, content))) return undefined;
          const open = async () => ({ ...content, from: 0, content: Readable.from(remains.content(entry)) });
          await media.receive(open, signal);
          return remains.startOf(entry);
        }),
      );
      const [first] = taken.filter((at) => at !== undefined).toSorted((one, other) => one - other);
      if (mayCut && first !== undefined) await onDisk(`writing ${path}`, truncate(path, first));
    }
  });
}

async function isWhole(remains: SalvagedArchive, entry: string, { sha256 }: Content): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    for await (const piece of remains.content(entry)) hash.update(piece);
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
  return hash.digest("hex") === sha256;
}

interface Found {
  readonly entry: string;
  readonly content: Content;
}

function* stepsOf(remains: SalvagedArchive, lacking: ReadonlyMap<string, Content>): Generator<readonly Found[]> {
  let step: Found[] = [];
  let bytes = 0;
  for (const entry of [...remains.paths()].reverse()) {
    const content = lacking.get(basename(entry).split(".", 1)[0] ?? "");
    if (content === undefined) continue;
    if (step.length > 0 && (step.length >= FILES_AT_ONCE || bytes + content.size > BYTES_AT_ONCE)) {
      yield step;
      [step, bytes] = [[], 0];
    }
    step.push({ entry, content });
    bytes += content.size;
  }
  if (step.length > 0) yield step;
}
