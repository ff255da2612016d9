import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../../core/errors.js";
import { syncFolder } from "../../../core/util/sync-folder.js";

/**
 * Writes a configuration whole or not at all. Throws UsageError: the file is there and `replaces` is false, also when it came in between; or
 * the folder can't be written to.
 */
export async function writeConfig(file: string, config: object, replaces: boolean): Promise<void> {
  const fresh = `${file}.${process.pid}.new`;
  try {
    await writeFresh(fresh, `${JSON.stringify(config, null, 2)}\n`);
    // A link is refused where a file is, a renaming is not.
    await (replaces ? rename(fresh, file) : link(fresh, file));
    await syncFolder(dirname(file));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The configuration ${file} could not be written: ${reason}. Nothing was changed.`, { cause });
  } finally {
    await rm(fresh, { force: true });
  }
}

async function writeFresh(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
