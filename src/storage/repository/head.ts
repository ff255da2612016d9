import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { syncFolder } from "../../core/util/sync-folder.js";
import { writeWhole } from "../../core/util/write-whole.js";
import { onDisk } from "../archive/disk-error.js";
import { REPOSITORY_FORMAT, type SnapshotId, snapshotIdSchema } from "./format.js";

/** Two files with the same words: a disk that loses the youngest files may lose one of them. */
const HEADS = ["head.json", "head.copy.json"] as const;
export const [HEAD] = HEADS;

const headSchema = z.object({ format: z.literal(REPOSITORY_FORMAT), snapshot: snapshotIdSchema });

/**
 * Notes which snapshot is the youngest, so that its loss is noticed although nothing else tells of it. Never goes back: `prune --compact` writes old
 * ones anew. Throws ArchiveError when the disk fails.
 */
export async function writeHead(folder: string, snapshot: SnapshotId): Promise<void> {
  if (snapshot < ((await readHead(folder)) ?? "")) return;
  const text = `${JSON.stringify({ format: REPOSITORY_FORMAT, snapshot })}\n`;
  for (const name of HEADS) await onDisk(`writing ${join(folder, name)}`, writeWhole(join(folder, name), text));
  await onDisk(`writing ${folder}`, syncFolder(folder));
}

/** The youngest snapshot that was noted; undefined: none was, as in repositories of early versions, or both notes are damaged. */
export async function readHead(folder: string): Promise<SnapshotId | undefined> {
  const noted: SnapshotId[] = [];
  for (const name of HEADS) {
    const parsed = headSchema.safeParse(jsonOf(await textOf(join(folder, name))));
    if (parsed.success) noted.push(parsed.data.snapshot);
  }
  return noted.toSorted().at(-1);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    // A note that can't be read tells nothing: the other one may.
    return "";
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Judged by its shape.
    return undefined;
  }
}
