import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import { makeBeside } from "../../archive/beside.js";
import { onDisk } from "../../archive/disk-error.js";
import { type NewEntry, packInto } from "../../archive/write-archive.js";
import type { ArchiveFile } from "../format.js";
import { type Encryption, Sealer } from "./encryption.js";

/** A file of a repository that is to be written. */
export interface FileToWrite {
  /** Where it goes; its last part is its name. */
  readonly path: string;
  readonly name: string;
  readonly entries: AsyncIterable<NewEntry> | Iterable<NewEntry>;
  /** null: a plain zip. */
  readonly encryption: Encryption | null;
  readonly signal?: AbortSignal | undefined;
  /** Called when the bytes have been read again from the disk, just before the file gets its name. */
  readonly beforeRename?: (file: ArchiveFile) => Promise<void>;
}

const READ_AT_ONCE = 1024 * 1024;

type Facts = { readonly bytes: number; readonly sha256: string };

/**
 * Writes an archive so that what has the name is known to be good: under another name beside it, synced, read again and compared
 * with the hashes taken on the way, then renamed. Throws ArchiveError, also when the disk gives other bytes back (exit 4), and what an entry
 * throws; nothing is left then.
 */
export async function writeFile(file: FileToWrite): Promise<ArchiveFile> {
  const written: ArchiveFile[] = [];
  await makeBeside(file.path, `writing ${file.path}`, async (temporary) => {
    const facts = await writeTo(temporary, file);
    await readAgain(temporary, file.path, facts);
    written.push(facts);
    await file.beforeRename?.(facts);
  });
  const [facts] = written;
  if (facts === undefined) throw new ArchiveError(`${file.path} was not written: a defect of guideferry.`);
  return facts;
}

async function writeTo(
  temporary: string,
  { path, name, entries, encryption, signal }: FileToWrite,
): Promise<ArchiveFile> {
  const doing = `writing ${path}`;
  const handle = await onDisk(doing, open(temporary, "wx", 0o600));
  const [plain, stored] = [counter(), counter()];
  const store = async (bytes: Buffer): Promise<void> => {
    stored.add(bytes);
    await onDisk(doing, handle.appendFile(bytes));
  };
  try {
    const sealed = encryption === null ? undefined : await Sealer.begin(encryption);
    if (sealed !== undefined) await store(sealed.head);
    const write = async (bytes: Buffer): Promise<void> => {
      if (sealed !== undefined) plain.add(bytes);
      await store(sealed?.sealer.add(bytes) ?? bytes);
    };
    await packInto(path, write, entries, signal);
    if (sealed !== undefined) await store(sealed.sealer.end());
    await onDisk(doing, handle.sync());
    return { name, ...stored.facts(), plain: sealed === undefined ? null : plain.facts() };
  } finally {
    await handle.close();
  }
}

async function readAgain(temporary: string, path: string, { bytes, sha256 }: Facts): Promise<void> {
  const read = counter();
  await onDisk(`reading ${path} again`, readThrough(temporary, read.add));
  const found = read.facts();
  if (found.bytes === bytes && found.sha256 === sha256) return;
  throw new ArchiveError(
    `The disk gave other bytes back than were written to ${path} (${found.bytes} with sha256 ${found.sha256} in place of ${bytes} with ${sha256}). ` +
      "The file was taken away again; nothing else was touched. Check the disk, its cable and the memory before anything else is written there.",
    { exitCode: EXIT.stopped },
  );
}

/** All of it passes through one piece of memory: a stream would leave a new one behind for each piece. */
async function readThrough(path: string, add: (bytes: Buffer) => void): Promise<void> {
  const handle = await open(path);
  try {
    const held = Buffer.allocUnsafeSlow(READ_AT_ONCE);
    for (;;) {
      const { bytesRead } = await handle.read(held, 0, held.length, null);
      if (bytesRead === 0) return;
      add(held.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function counter(): { readonly add: (bytes: Buffer) => void; readonly facts: () => Facts } {
  const hash = createHash("sha256");
  let count = 0;
  return {
    add: (bytes) => {
      hash.update(bytes);
      count += bytes.length;
    },
    facts: () => ({ bytes: count, sha256: hash.digest("hex") }),
  };
}
