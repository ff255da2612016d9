import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isRunning } from "../archive/atomic-file.js";
import { diskError, onDisk } from "../archive/disk-error.js";
import { type ArchiveFile, REPOSITORY_FORMAT, type SnapshotIndex } from "./format.js";

/** When archives were last read; docs/design/repository.md, "The folder". */
export const PROVEN = "proven.json";

const provenSchema = z.object({
  format: z.literal(REPOSITORY_FORMAT),
  archives: z.record(z.string(), z.iso.datetime().nullable()),
  turns: z.record(z.string(), z.int().min(0)).default({}),
});

/** When each archive was last read and found intact, UNIX milliseconds; null: found damaged. */
type Proven = ReadonlyMap<string, number | null>;

interface Notes {
  readonly archives: Proven;
  /** The next share of a sample, by the number of shares. */
  readonly turns: ReadonlyMap<string, number>;
}

/**
 * The last proof of each archive: its writing, when it was read again, or a later run. A lost or
 * damaged file only means that archives are read more often. Throws ArchiveError for the disk.
 */
export async function readProven(folder: string, snapshots: readonly SnapshotIndex[]): Promise<Proven> {
  const { archives: noted } = await readNotes(folder);
  const proven = new Map<string, number | null>();
  for (const { archives, finished } of snapshots) {
    const written = Date.parse(finished);
    for (const { name } of archives) {
      const read = noted.get(name);
      proven.set(name, read === undefined ? written : read === null ? null : Math.max(read, written));
    }
  }
  return proven;
}

/**
 * Records that archives were read now (true: intact, false: damaged), and forgets those that are no
 * longer in the repository. Throws ArchiveError for the disk, also a read-only one.
 */
export async function noteProven(
  folder: string,
  read: ReadonlyMap<string, boolean>,
  snapshots: readonly SnapshotIndex[],
  now: Date,
): Promise<void> {
  if (read.size === 0) return;
  const notes = await readNotes(folder);
  const noted = new Map(notes.archives);
  for (const [name, isSound] of read) noted.set(name, isSound ? now.getTime() : null);
  const names = new Set(snapshots.flatMap(({ archives }) => archives.map(({ name }) => name)));
  const archives = new Map([...noted].filter(([name]) => names.has(name)));
  await writeNotes(folder, { ...notes, archives });
}

/** The share, from 0 to `of` - 1, that the next sample reads. Throws ArchiveError for the disk. */
export async function readTurn(folder: string, of: number): Promise<number> {
  const { turns } = await readNotes(folder);
  return (turns.get(String(of)) ?? 0) % of;
}

/**
 * Records that a sample read this share. Throws ArchiveError for the disk, also a read-only one.
 */
export async function noteTurn(
  folder: string,
  { of, turn }: { readonly of: number; readonly turn: number },
): Promise<void> {
  const notes = await readNotes(folder);
  await writeNotes(folder, { ...notes, turns: new Map([...notes.turns, [String(of), (turn + 1) % of]]) });
}

async function writeNotes(folder: string, { archives, turns }: Notes): Promise<void> {
  const times = inOrder(archives).map(([name, at]) => [name, at === null ? null : new Date(at).toISOString()] as const);
  const notes = { archives: Object.fromEntries(times), turns: Object.fromEntries(inOrder(turns)) };
  const file = join(folder, PROVEN);
  // Two runs may write at the same time, because verify takes no lock.
  const temporary = `${file}.${process.pid}.new`;
  const text = `${JSON.stringify({ format: REPOSITORY_FORMAT, ...notes }, null, 2)}\n`;
  await onDisk(`writing ${file}`, writeFile(temporary, text, { mode: 0o600 }));
  await onDisk(`writing ${file}`, rename(temporary, file));
}

const TEMPORARY = new RegExp(`^${PROVEN.replace(".", "\\.")}\\.(\\d+)\\.new$`);
/** Milliseconds. Writing takes an instant, so an older temporary file is of a killed run. */
const AN_HOUR = 3_600_000;

/**
 * The temporary files of killed runs. A file of a running process is its own, unless it is older
 * than an hour: then another process has the same id.
 */
export async function leftNotes(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const file of files) {
    const pid = TEMPORARY.exec(file)?.[1];
    if (pid !== undefined && (!isRunning(Number(pid)) || (await isOld(join(folder, file))))) left.push(file);
  }
  return left;
}

/** A missing file was just renamed by its run. */
async function isOld(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > AN_HOUR;
}

function inOrder<T>(notes: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...notes].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function readNotes(folder: string): Promise<Notes> {
  const parsed = provenSchema.safeParse(await readJson(join(folder, PROVEN)));
  const { archives, turns } = parsed.success ? parsed.data : { archives: {}, turns: {} };
  const times = Object.entries(archives).map(([name, at]) => [name, at === null ? null : Date.parse(at)] as const);
  return { archives: new Map(times), turns: new Map(Object.entries(turns)) };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw diskError(error, `reading ${path}`);
  }
}

const DAY = 86_400_000;
/** Milliseconds for which a proof is valid. Disks decay over years. */
const BELIEVED = 60 * DAY;
/** Age in milliseconds from which an archive is read again before its proof expires. */
const RENEWED = 30 * DAY;
/** Share of all bytes that one backup reads again: so all are read in time, at a low cost. */
const SHARE = 1 / 30;

/**
 * The archives to read before anything is removed: those without a valid proof, and the oldest of
 * those to be renewed, up to a thirtieth of all bytes. A time in the future is not a proof.
 */
export function dueProofs(files: readonly ArchiveFile[], proven: Proven, now: Date): readonly ArchiveFile[] {
  const age = ({ name }: ArchiveFile): number => {
    const at = proven.get(name) ?? Number.NEGATIVE_INFINITY;
    return at > now.getTime() ? Number.POSITIVE_INFINITY : now.getTime() - at;
  };
  const oldestFirst = files.toSorted((one, other) => age(other) - age(one) || (one.name < other.name ? -1 : 1));
  const allowed = SHARE * files.reduce((sum, { bytes }) => sum + bytes, 0);
  const due: ArchiveFile[] = [];
  let bytes = 0;
  for (const file of oldestFirst) {
    const hasTurn = age(file) > RENEWED && bytes < allowed;
    if (age(file) <= BELIEVED && !hasTurn) break;
    due.push(file);
    bytes += file.bytes;
  }
  return due;
}
