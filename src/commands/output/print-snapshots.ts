import { isBeforeRestore } from "../../storage/repository/before-restore.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
import { startOf, timeOf } from "../../storage/repository/names.js";
import { bytesOf } from "../../storage/repository/plan-prune.js";
import type { Repository } from "../../storage/repository/repository.js";
import { sinceFull } from "../../storage/repository/since-full.js";
import { EXIT } from "../../core/errors.js";
import { size } from "./describe-backup.js";
import type { Output } from "./output.js";
import { clockTime, count } from "./words.js";

const HEAD = ["snapshot", "kind", "items", "new", "changed", "deleted", "media", "size", "duration", ""];

/** Lists the snapshots of a repository, oldest first. */
export function printSnapshots(repository: Repository, output: Output): void {
  const all = repository.snapshots();
  for (const index of all) output.event("snapshot", factsOf(index));
  if (all.length > 0) output.table(HEAD, all.map(rowOf));
  for (const warning of warningsOf(all)) output.warn(warning);
  const bytes = all.reduce((sum, index) => sum + bytesOf(index), 0);
  output.say(`${repository.name}: ${count(all.length, "snapshot")}, ${size(bytes)}.`);
  output.event("summary", { exitCode: EXIT.ok, name: repository.name, snapshots: all.length, bytes });
}

/** What holds old snapshots for want of a key, if the last night says so. */
function warningsOf(all: readonly SnapshotIndex[]): readonly string[] {
  const due = all.findLast((index) => !isBeforeRestore(index))?.fullDue;
  if (due === undefined) return [];
  return [
    `NO FULL SNAPSHOT: one is due every ${due} (--full-every), the last ${count(sinceFull(all), "snapshot")} had no key and followed the last full one. No archive since that can be pruned, ` +
      "whatever --keep says. Give --identity FILE (or GUIDEFERRY_PASSPHRASE) to the next backup.",
  ];
}

function factsOf(index: SnapshotIndex): object {
  const { snapshot, kind, previous, started, finished, complete, encrypted, fullDue, counts, archives } = index;
  const time = timeOf(snapshot).toISOString();
  const [files, bytes, seconds] = [archives.length, bytesOf(index), secondsOf(index)];
  return {
    snapshot,
    time,
    kind,
    previous,
    started,
    finished,
    seconds,
    complete,
    encrypted,
    fullDue,
    ...counts,
    files,
    bytes,
  };
}

function rowOf(index: SnapshotIndex): readonly (string | number)[] {
  const { snapshot, kind, counts } = index;
  return [
    snapshot,
    kind,
    counts.present,
    counts.new,
    counts.changed,
    counts.deleted,
    counts.media,
    size(bytesOf(index)),
    clockTime(secondsOf(index)),
    remarksOf(index).join(", "),
  ];
}

/** A name may lie after the time of its run by what it takes to come after the others. */
const NAME_IS_LATE = 3600_000;

function remarksOf(index: SnapshotIndex): readonly string[] {
  const { snapshot, complete, encrypted, manyDeleted } = index;
  const start = startOf(index);
  const isLate = Math.abs(timeOf(snapshot).getTime() - start.getTime()) > NAME_IS_LATE;
  return [
    ...(complete ? [] : ["incomplete"]),
    ...(manyDeleted === undefined ? [] : ["many deletions"]),
    ...(encrypted ? ["encrypted"] : []),
    ...(index.fullDue === undefined ? [] : ["full snapshot due"]),
    ...(isBeforeRestore(index) ? ["before a restore"] : []),
    ...(isLate ? [`begun ${start.toISOString().slice(0, 16)}Z`] : []),
  ];
}

function secondsOf({ started, finished }: SnapshotIndex): number {
  return Math.max(0, (Date.parse(finished) - Date.parse(started)) / 1000);
}
