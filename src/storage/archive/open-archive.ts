import { guardArchive } from "./guard-archive.js";
import type { InspectOptions } from "./inspect.js";
import type { OpenFiles } from "./open-files.js";
import { refusal } from "./refusal.js";

export type { OpenFiles } from "./open-files.js";

/**
 * Opens a zip archive that passes the guard. Its contents are streamed, one by one or side by side, and never whole in memory.
 * Throws ArchiveError with all findings when it is refused, and when the file can't be read.
 */
export async function openArchive(path: string, options: InspectOptions = {}): Promise<OpenFiles> {
  const guarded = await guardArchive(path, options);
  if (guarded.files === null) throw refusal(path, guarded);
  return guarded.files;
}
