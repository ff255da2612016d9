import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { diskError, onDisk } from "../archive/disk-error.js";
import { type ArchiveFile, REPOSITORY_FORMAT, type SnapshotIndex } from "./format.js";

/** Where it is noted when archives were last read; README.md, "The folder". */
export const PROVEN = "proven.json";

const provenSchema = z.object({
  format: z.literal(REPOSITORY_FORMAT),
  archives: z.record(z.string(), z.iso.datetime().nullable()),
  turns: z.record(z.string(), z.int().min(0)).default({}),
});

/**
 * When each archive was last read and found as it was written, UNIX milliseconds; null: it was
 * found otherwise.
 */
type Proven = ReadonlyMap<string, number | null>;

interface Notes {
  readonly archives: Proven;
  /** Which share comes next, by how many shares there are. */
  readonly turns: ReadonlyMap<string, number>;
}

/**
 * What is known of the archives of these snapshots: that each was read again when it was written,
 * and what later runs noted. A file of notes that is lost or damaged is as none: archives are read
 * once more than they had to be. Throws ArchiveError when the disk fails.
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
 * Notes that archives were read just now: true, as they were written; false, otherwise. What is
 * gone from the repository is dropped. Throws ArchiveError when the disk fails or can only be read.
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

/**
 * Which of `of` shares a sample reads next, from 0: that after the one that was noted last, however
 * long ago. Throws ArchiveError when the disk fails.
 */
export async function readTurn(folder: string, of: number): Promise<number> {
  const { turns } = await readNotes(folder);
  return (turns.get(String(of)) ?? 0) % of;
}

/**
 * Notes that a sample read this one of `of` shares. Throws ArchiveError when the disk fails or can
 * only be read.
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
  // Two runs may be at it at once: verify takes no lock.
  const temporary = `${file}.${process.pid}.new`;
  const text = `${JSON.stringify({ format: REPOSITORY_FORMAT, ...notes }, null, 2)}\n`;
  await onDisk(`writing ${file}`, writeFile(temporary, text, { mode: 0o600 }));
  await onDisk(`writing ${file}`, rename(temporary, file));
}

const UNDER_WORK = new RegExp(`^${PROVEN.replace(".", "\\.")}\\.(\\d+)\\.new$`);
/**
 * Milliseconds. The notes are written in an instant: what is older was left by a run that was
 * killed.
 */
const AN_HOUR = 3_600_000;

/**
 * Of these names of files in the folder, notes that a killed run left half written. Those of a
 * process that runs are its own, unless they are older than an hour: then another process has its
 * number.
 */
export async function leftNotes(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const file of files) {
    const pid = UNDER_WORK.exec(file)?.[1];
    if (pid !== undefined && (!isRunning(Number(pid)) || (await isOld(join(folder, file))))) left.push(file);
  }
  return left;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** undefined of `stat`: its run has just renamed it. */
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

/** undefined: it is not there, or no JSON. */
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
/** An archive is believed for so many days after it was read. Disks rot over years. */
const BELIEVED = 60 * DAY;
/** From then on it is read again when its turn comes, */
const RENEWED = 30 * DAY;
/**
 * which takes this share of all bytes a night: so all have their turn before they are believed no
 * more, and no night reads much.
 */
const SHARE = 1 / 30;

/**
 * Which archives are to be read before something is removed: every one that is not believed any
 * more, and of those whose turn it is the ones that were read longest ago, until they are a
 * thirtieth of all bytes. A time that is still to come is no proof.
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
