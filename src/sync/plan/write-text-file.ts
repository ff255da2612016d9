import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { makeBeside } from "../../storage/archive/beside.js";
import { onDisk } from "../../storage/archive/disk-error.js";

/** Characters that are gathered before they are written. */
const PIECE = 64 * 1024;

/**
 * Writes a text in pieces into a file for its owner alone, whole or not at all. `end`: makes what stands behind them of their sha256. Throws
 * ArchiveError when the disk refuses.
 */
export async function writeTextFile(
  file: string,
  pieces: Iterable<string>,
  end: (digest: string) => string = () => "",
): Promise<void> {
  const doing = `writing ${file}`;
  await makeBeside(file, doing, async (temporary) => {
    const handle = await onDisk(doing, open(temporary, "wx", 0o600));
    const hash = createHash("sha256");
    const write = async (text: string): Promise<void> => {
      hash.update(text);
      await onDisk(doing, handle.appendFile(text));
    };
    try {
      let waiting = "";
      for (const piece of pieces) {
        waiting += piece;
        if (waiting.length < PIECE) continue;
        await write(waiting);
        waiting = "";
      }
      await write(waiting);
      await onDisk(doing, handle.appendFile(end(hash.digest("hex"))));
      await onDisk(doing, handle.sync());
    } finally {
      await handle.close();
    }
  });
}
