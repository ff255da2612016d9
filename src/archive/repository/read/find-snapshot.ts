import { ArchiveError, EXIT, UsageError } from "../../../errors.js";
import { type SnapshotId, type SnapshotIndex, snapshotIdSchema } from "../format.js";
import { timeOf } from "../names.js";

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:?\d\d)?$/;
const NAMED = 8;

/**
 * The last snapshot, or the last one not later than `at`: a snapshot's name, an ISO time or date (its end, in UTC), or `latest`.
 * Throws UsageError for other words, and ArchiveError (exit 10) where there is none.
 */
export function findSnapshot(
  snapshots: readonly SnapshotIndex[],
  at: string | undefined,
  folder: string,
): SnapshotIndex {
  if (at === undefined || at === "latest") return snapshots.at(-1) ?? none(`${folder} has no snapshot yet.`);
  const last = lastMoment(at);
  const found = snapshots.findLast(({ snapshot }) => timeOf(snapshot).getTime() <= last);
  return found ?? none(`${folder} has no snapshot of ${at} or before. ${thoseThere(snapshots)}`);
}

/** The snapshot of exactly this name. */
export function snapshotNamed(snapshots: readonly SnapshotIndex[], id: SnapshotId, folder: string): SnapshotIndex {
  const found = snapshots.find(({ snapshot }) => snapshot === id);
  return found ?? none(`${folder} has no snapshot ${id}. ${thoseThere(snapshots)}`);
}

function lastMoment(at: string): number {
  if (snapshotIdSchema.safeParse(at).success) return checked(at, timeOf(at).getTime());
  if (DATE.test(at)) return checked(at, Date.parse(`${at}T23:59:59.999Z`));
  const time = TIME.exec(at);
  if (time === null) return checked(at, Number.NaN);
  return checked(at, Date.parse(`${at.replace(" ", "T")}${time.groups?.["zone"] === undefined ? "Z" : ""}`));
}

function checked(at: string, moment: number): number {
  if (!Number.isNaN(moment)) return moment;
  throw new UsageError(
    `"${at}" names no time. Give a snapshot's name (20261120T030000Z), a date (2026-11-20), a time (2026-11-20T03:00Z, UTC where no zone is said), or latest.`,
  );
}

function thoseThere(snapshots: readonly SnapshotIndex[]): string {
  if (snapshots.length === 0) return "It has none at all.";
  const names = snapshots.map(({ snapshot }) => snapshot);
  const shown = names.length <= NAMED ? names.join(", ") : `${names.length} from ${names[0]} to ${names.at(-1)}`;
  return `There ${names.length === 1 ? "is" : "are"}: ${shown}.`;
}

function none(message: string): never {
  throw new ArchiveError(message, { exitCode: EXIT.notFound });
}
