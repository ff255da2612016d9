import { createHash } from "node:crypto";
import { access, constants } from "node:fs/promises";
import { readTurn } from "../../storage/repository/proven.js";

/**
 * Which of `of` shares a sample reads now: the one after that of the last run, so that all come round whatever the days of the runs are. Where nothing can be
 * noted the day draws one, by its hash: of numbered days a weekly run would see the same share for ever. Throws ArchiveError when the disk fails.
 */
export async function turnOf(folder: string, of: number, now: Date): Promise<number> {
  return (await isWritable(folder)) ? readTurn(folder, of) : drawn(of, now);
}

function drawn(of: number, now: Date): number {
  const day = now.toISOString().slice(0, "2026-11-20".length);
  return createHash("sha256").update(day).digest().readUInt32BE() % of;
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
