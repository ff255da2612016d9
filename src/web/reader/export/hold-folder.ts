import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import { describeHolder, type Lock, takeLock } from "../../../storage/workspace/lock.js";
import { LOCK } from "./export-marker.js";
import { checkFolder } from "./prepare-folder.js";

/**
 * Takes the lock of an export's folder, which is made when it is not there; the system drops it when the process ends. Throws UsageError for a folder of something else, in which nothing
 * is written then, ArchiveError (exit 11) when another export has it, and what the system says.
 */
export async function holdFolder(path: string, site: string): Promise<Lock> {
  await checkFolder(path, site);
  await mkdir(path, { recursive: true });
  const taken = takeLock(join(path, LOCK), "guideferry export-html");
  if ("lock" in taken) return taken.lock;
  throw new ArchiveError(
    `Another export writes ${path}: ${describeHolder(taken.heldBy)}. Nothing was written. Wait until it ends or stop it, then run the same command again.`,
    { exitCode: EXIT.locked },
  );
}
