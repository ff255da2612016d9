import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { HeldRepository } from "./hold-repository.js";

/** What stands in the way when somebody else uses the folder by now. */
const IN_USE: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/**
 * Takes away the folder that a run made for a repository which did not come to be, and gives its lock back: nothing was read from the site by then.
 * A repository is left as it is. Throws ArchiveError: the disk.
 */
export async function undoFolder(held: HeldRepository): Promise<void> {
  const { folder } = held;
  const isRepository = existsSync(join(folder, "repository.json"));
  // While the lock is held nobody else puts anything there.
  if (!isRepository)
    await onDisk(`removing ${folder}`, rm(join(folder, "workspace"), { recursive: true, force: true }));
  if (!isRepository) await onDisk(`removing ${folder}`, rm(join(folder, "lock"), { force: true }));
  held.release();
  if (!isRepository) await onDisk(`removing ${folder}`, rmdir(folder).catch(unlessInUse));
}

function unlessInUse(error: unknown): void {
  if (!(error instanceof Error && "code" in error && IN_USE.has(String(error.code)))) throw error;
}
