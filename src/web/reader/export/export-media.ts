import type { Key } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/parallel.js";
import type { Catalogue, Entry, MediumFacts } from "../catalogue.js";
import type { Shelf } from "../library.js";
import { headOf } from "../media-head.js";
import { mediaTypeOf } from "../media-type.js";
import { unreadable } from "../unreadable.js";
import type { ExportFolder } from "./export-folder.js";
import type { MediumName } from "./media-names.js";

export interface MediaExport {
  readonly shelf: Shelf;
  readonly catalogue: Catalogue;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  /** Is told of each that is in the export. Default: nobody is. */
  readonly onMedium?: (medium: MediumName) => void;
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
export async function exportMedia(parts: MediaExport): Promise<ExportedMedia> {
  const { shelf, catalogue, folder, signal, onMedium, progress } = parts;
  const entries = (["image", "video", "document"] as const).flatMap((kind) => catalogue.media(kind));
  const failures: ExportFailure[] = [];
  const lost = new Set<string>();
  let done = 0;
  await parallel(entries, WIDTH, async (entry) => {
    signal.throwIfAborted();
    const facts = entry.more?.medium;
    if (facts !== null && facts !== undefined) {
      const { medium, reason } = await put(shelf, folder, entry, facts);
      if (medium !== undefined) onMedium?.(medium);
      if (reason !== undefined) {
        lost.add(facts.sha256);
        failures.push({ key: entry.key, reason });
      }
    }
    done += 1;
    progress(done, entries.length, failures.length);
  });
  return { failures, lost };
}

/** Where it is, or why it can't be had. */
type Put =
  | { readonly medium: MediumName; readonly reason?: undefined }
  | { readonly medium?: undefined; readonly reason: string };

async function put(
  shelf: Shelf,
  folder: ExportFolder,
  { key }: Entry,
  { sha256, fileName }: MediumFacts,
): Promise<Put> {
  try {
    const medium = await shelf.medium(sha256);
    if (medium === undefined) return { reason: `The bytes of ${key} are not there.` };
    const { extension } = mediaTypeOf(await headOf(medium), fileName);
    await folder.putMedium({ sha256, extension }, medium.size, () => medium.open());
    return { medium: { sha256, extension } };
  } catch (error) {
    const reason = unreadable(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}
