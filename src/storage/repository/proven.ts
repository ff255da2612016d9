import { z } from "zod";
import { parseJson } from "../../core/util/json.js";
import type { RepositoryStorage } from "./files/repository-storage.js";
import type { ArchiveFile, SnapshotIndex } from "./format.js";

/** When archives were last read; docs/design/repository.md, "The folder". */
export const PROVEN = "proven.json";

/** Of these notes; that of the repository has no meaning for them. */
const FORMAT = 1;

const provenSchema = z.object({
  format: z.literal(FORMAT),
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
export async function readProven(storage: RepositoryStorage, snapshots: readonly SnapshotIndex[]): Promise<Proven> {
  const { archives: noted } = await readNotes(storage);
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
  storage: RepositoryStorage,
  read: ReadonlyMap<string, boolean>,
  snapshots: readonly SnapshotIndex[],
  now: Date,
): Promise<void> {
  if (read.size === 0) return;
  const notes = await readNotes(storage);
  const noted = new Map(notes.archives);
  for (const [name, isSound] of read) noted.set(name, isSound ? now.getTime() : null);
  const names = new Set(snapshots.flatMap(({ archives }) => archives.map(({ name }) => name)));
  const archives = new Map([...noted].filter(([name]) => names.has(name)));
  await writeNotes(storage, { ...notes, archives });
}

/** The share, from 0 to `of` - 1, that the next sample reads. Throws ArchiveError for the disk. */
export async function readTurn(storage: RepositoryStorage, of: number): Promise<number> {
  const { turns } = await readNotes(storage);
  return (turns.get(String(of)) ?? 0) % of;
}

/**
 * Records that a sample read this share. Throws ArchiveError for the disk, also a read-only one.
 */
export async function noteTurn(
  storage: RepositoryStorage,
  { of, turn }: { readonly of: number; readonly turn: number },
): Promise<void> {
  const notes = await readNotes(storage);
  await writeNotes(storage, { ...notes, turns: new Map([...notes.turns, [String(of), (turn + 1) % of]]) });
}

async function writeNotes(storage: RepositoryStorage, { archives, turns }: Notes): Promise<void> {
  const times = inOrder(archives).map(([name, at]) => [name, at === null ? null : new Date(at).toISOString()] as const);
  const notes = { archives: Object.fromEntries(times), turns: Object.fromEntries(inOrder(turns)) };
  // Two runs may write at the same time, because verify takes no lease.
  await storage.note(PROVEN, `${JSON.stringify({ format: FORMAT, ...notes }, null, 2)}\n`);
}

function inOrder<T>(notes: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...notes].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function readNotes(storage: RepositoryStorage): Promise<Notes> {
  const parsed = provenSchema.safeParse(parseJson((await storage.readAll([PROVEN])).get(PROVEN) ?? ""));
  const { archives, turns } = parsed.success ? parsed.data : { archives: {}, turns: {} };
  const times = Object.entries(archives).map(([name, at]) => [name, at === null ? null : Date.parse(at)] as const);
  return { archives: new Map(times), turns: new Map(Object.entries(turns)) };
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
