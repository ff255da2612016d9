import { ArchiveError, EXIT, UsageError } from "../../../core/errors.js";
import type { SnapshotId, SnapshotIndex } from "../format.js";
import { isBeforeRestore, isSnapshotId, startOf, timeOf } from "../names.js";

const TIME = /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<clock>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;
const NAMED = 8;

/**
 * The snapshot with the name `at`; else the last one (`latest`), or the last one that started not
 * later than `at`: a time in the form of a name, an ISO time, or a date (its end, in UTC).
 * Snapshots of restores are only found by their name, unless there are no others. Throws UsageError
 * for an invalid `at`, and ArchiveError (exit 10) when there is no such snapshot.
 */
export function findSnapshot(
  snapshots: readonly SnapshotIndex[],
  at: string | undefined,
  folder: string,
): SnapshotIndex {
  const found = snapshots.find(({ snapshot }) => snapshot === at) ?? lastOf(meantByTime(snapshots), at);
  if (found !== undefined) return found;
  if (at === undefined || at === "latest") return none(`${folder} has no snapshot yet.`);
  return none(`${folder} has no snapshot at or before ${at}. ${existing(snapshots)}`);
}

/** The snapshot of a restore that `findSnapshot` ignores for the same `at`. */
export function passedOver(snapshots: readonly SnapshotIndex[], at: string | undefined): SnapshotIndex | undefined {
  if (snapshots.some(({ snapshot }) => snapshot === at)) return undefined;
  const last = lastOf(snapshots, at);
  return last === lastOf(meantByTime(snapshots), at) ? undefined : last;
}

/** Throws ArchiveError (exit 10). */
export function snapshotNamed(snapshots: readonly SnapshotIndex[], id: SnapshotId, folder: string): SnapshotIndex {
  const found = snapshots.find(({ snapshot }) => snapshot === id);
  return found ?? none(`${folder} has no snapshot ${id}. ${existing(snapshots)}`);
}

function meantByTime(snapshots: readonly SnapshotIndex[]): readonly SnapshotIndex[] {
  const meant = snapshots.filter((index) => !isBeforeRestore(index));
  return meant.length === 0 ? snapshots : meant;
}

/** By start times, because after a run with a fast clock the names have wrong times. */
function lastOf(snapshots: readonly SnapshotIndex[], at: string | undefined): SnapshotIndex | undefined {
  if (at === undefined || at === "latest") return snapshots.at(-1);
  const moment = lastMoment(at);
  let found: SnapshotIndex | undefined;
  for (const index of snapshots) {
    const start = startOf(index);
    if (start.getTime() <= moment && (found === undefined || start >= startOf(found))) found = index;
  }
  return found;
}

function lastMoment(at: string): number {
  if (isSnapshotId(at)) return checked(at, timeOf(at), at.slice(0, 8));
  const { date, clock, zone } = TIME.exec(at)?.groups ?? {};
  if (date === undefined) throw noTime(at);
  const time = clock === undefined ? "T23:59:59.999Z" : `T${clock}${zone ?? "Z"}`;
  return checked(at, new Date(`${date}${time}`), date.replaceAll("-", ""));
}

/** Refuses days that do not exist: JavaScript turns 31 November into another day. */
function checked(at: string, moment: Date, day: string): number {
  const midnight = new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().replaceAll("-", "").startsWith(day);
  if (Number.isNaN(moment.getTime()) || !isDay) throw noTime(at);
  return moment.getTime();
}

function noTime(at: string): UsageError {
  return new UsageError(
    `"${at}" is not a time. Give the name of a snapshot (20261120T030000Z), a date (2026-11-20), a time (2026-11-20T03:00Z; UTC without a time zone), or latest.`,
  );
}

function existing(snapshots: readonly SnapshotIndex[]): string {
  if (snapshots.length === 0) return "It has no snapshots.";
  const names = snapshots.map(({ snapshot }) => snapshot);
  const shown = names.length <= NAMED ? names.join(", ") : `${names.length} from ${names[0]} to ${names.at(-1)}`;
  return `Existing ${names.length === 1 ? "snapshot" : "snapshots"}: ${shown}.`;
}

function none(message: string): never {
  throw new ArchiveError(message, { exitCode: EXIT.notFound });
}
