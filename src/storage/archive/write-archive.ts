import { open } from "node:fs/promises";
import { makeBeside } from "./beside.js";
import { checkNames } from "./check-names.js";
import { checkPath } from "./check-path.js";
import { onDisk } from "./disk-error.js";
import { FindingList } from "./finding-list.js";
import { DEFAULT_LIMITS } from "./limits.js";
import { type NewEntry, packEntries } from "./pack-entries.js";
import { refusalToWrite } from "./refusal.js";

export type { NewEntry } from "./pack-entries.js";

/**
 * Writes a zip archive: the entries in the order given, each streamed. The same input gives the same bytes (with the same build of Node).
 * The file is whole, synced and under its name, or it is as it was before; one that stands there is replaced. Throws ArchiveError for names
 * that the guard would refuse, when the disk fails, and whatever a content or `entries` throws.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  await makeBeside(path, `writing ${path}`, (temporary) => writeTo(temporary, path, entries, options.signal));
}

/**
 * The bytes of an archive, in order, given to `write`, which is waited for each time; then their memory is used again. `path` names it in
 * messages. Throws as `writeArchive` does, and what `write` throws; what was written until then is no archive. The memory of a content
 * that is a Buffer of up to `AT_ONCE` bytes is the caller's again when the next entry is asked for.
 */
export async function packInto(
  path: string,
  write: (bytes: Buffer) => Promise<void>,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  signal?: AbortSignal,
): Promise<void> {
  await packEntries(write, checked(path, entries), signal);
}

async function writeTo(
  temporary: string,
  path: string,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const doing = `writing ${path}`;
  const handle = await onDisk(doing, open(temporary, "wx", 0o600));
  const write = (bytes: Buffer): Promise<void> => onDisk(doing, handle.appendFile(bytes));
  try {
    await packInto(path, write, entries, signal);
    await onDisk(doing, handle.sync());
  } finally {
    await handle.close();
  }
}

/** Archiver would write any name, and one twice. */
async function* checked(path: string, entries: AsyncIterable<NewEntry> | Iterable<NewEntry>): AsyncGenerator<NewEntry> {
  const findings = new FindingList(DEFAULT_LIMITS.findings);
  const names: { readonly path: string; readonly spelling: string; readonly isFolder: false }[] = [];
  for await (const entry of entries) {
    const { path: tidy, spelling, faults } = checkPath(entry.path, DEFAULT_LIMITS);
    names.push({ path: tidy, spelling, isFolder: false });
    for (const { code, detail } of faults) findings.add(code, entry, detail);
    if (tidy !== entry.path) findings.add("E_ZIP_PATH_INVALID", entry, "its name is not in the form that is written");
    if (findings.isRefused) break;
    yield entry;
  }
  checkNames(names, findings);
  if (names.length === 0) findings.add("E_ZIP_EMPTY", null, "it has no entries");
  if (findings.isRefused) throw refusalToWrite(path, { findings: findings.all, findingsLeft: findings.left });
}
