import { ArchiveError, WorkspaceError } from "../../errors.js";
import type { Key } from "../../model/key.js";
import { parallel } from "../../util/parallel.js";
import type { Catalogue, Entry, MediumFacts } from "../catalogue.js";
import type { Shelf } from "../library.js";
import { headOf } from "../media-head.js";
import { mediaTypeOf } from "../media-type.js";
import { mediaPath } from "../page-path.js";
import type { ExportFolder } from "./export-folder.js";

export interface MediaExport {
  readonly shelf: Shelf;
  readonly catalogue: Catalogue;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, failed: number) => void;
}

export interface ExportFailure {
  readonly key: Key;
  /** For people. */
  readonly reason: string;
}

export interface ExportedMedia {
  readonly failures: readonly ExportFailure[];
  /** The sha256 of contents that are not in the export: pages must not lead to them. */
  readonly lost: ReadonlySet<string>;
}

/** Streams that are open at the same time. */
const WIDTH = 4;

/** Writes the bytes of all images, videos and documents. What is damaged or missing is told. Throws what the disk says, and the signal's reason. */
export async function exportMedia({ shelf, catalogue, folder, signal, progress }: MediaExport): Promise<ExportedMedia> {
  const entries = (["image", "video", "document"] as const).flatMap((kind) => catalogue.media(kind));
  const failures: ExportFailure[] = [];
  const lost = new Set<string>();
  let done = 0;
  await parallel(entries, WIDTH, async (entry) => {
    signal.throwIfAborted();
    const facts = entry.more?.medium;
    const reason = facts === null || facts === undefined ? undefined : await put(shelf, folder, entry, facts);
    if (facts !== null && facts !== undefined && reason !== undefined) {
      lost.add(facts.sha256);
      failures.push({ key: entry.key, reason });
    }
    done += 1;
    progress(done, entries.length, failures.length);
  });
  return { failures, lost };
}

/** Returns why it can't be had; undefined: it is there. */
async function put(
  shelf: Shelf,
  folder: ExportFolder,
  { key }: Entry,
  { sha256, fileName }: MediumFacts,
): Promise<string | undefined> {
  try {
    const medium = await shelf.medium(sha256);
    if (medium === undefined) return `The bytes of ${key} are not there.`;
    const address = mediaPath(sha256, mediaTypeOf(await headOf(medium), fileName));
    if (folder.claim(address)) await folder.putContent(address, medium.size, () => medium.open());
    return undefined;
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof WorkspaceError) return error.message;
    throw error;
  }
}
