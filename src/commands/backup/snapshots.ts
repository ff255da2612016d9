import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { exportSnapshot } from "../../backup/restore/export-snapshot.js";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/is-under.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
import {
  archiveName,
  isBeforeRestore,
  parseArchiveName,
  sinceFull,
  startOf,
  timeOf,
} from "../../storage/repository/names.js";
import { bytesOf } from "../../storage/repository/plan-prune.js";
import { openRepository } from "../../storage/repository/read/open-repository.js";
import type { Repository } from "../../storage/repository/repository.js";
import type { CommandCall } from "../command.js";
import type { Output } from "../output/output.js";
import { clockTime, count, size } from "../output/words.js";
import { chosenSnapshot, encryptionOf, keysOf, withRepository } from "./archives.js";

const HEAD = ["snapshot", "kind", "items", "new", "changed", "deleted", "media", "size", "duration", ""];

/** Lists the snapshots of a repository, oldest first. */
export async function runSnapshots(call: CommandCall, folder: string): Promise<ExitCode> {
  await withRepository(call, folder, async (repository) => printSnapshots(repository, call.output));
  return EXIT.ok;
}

function printSnapshots(repository: Repository, output: Output): void {
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

/** Writes one snapshot of a repository into a file of its own. */
export async function runExport(call: CommandCall, folder: string): Promise<ExitCode> {
  const { settings, output } = call;
  const goal = settings.archiveFile;
  if (goal === null) throw new UsageError("Where does the snapshot go? Name the file: -o FILE.zip.");
  const encryption = await encryptionOf(call, { passphrase: goal.toLowerCase().endsWith(".age") });
  const repository = await openRepository(folder, { keys: await keysOf(call) });
  try {
    const snapshot = chosenSnapshot(call, repository, settings.at);
    const path = pathOf(goal, snapshot, encryption !== null);
    if (isUnder(path, folder)) {
      throw new UsageError(
        `${path} lies in the repository itself, where only snapshots belong. Name another place with -o.`,
      );
    }
    const progress = (done: number, total: number): void =>
      output.progress({ stage: "archive", done, total, failed: 0 });
    const isSealed = encryption !== null;
    if (!isSealed && path.toLowerCase().endsWith(".age")) throw unsealed(path);
    if (!isSealed && isEncrypted(snapshot)) {
      output.warn(
        `The snapshot is encrypted in the repository, and ${path} holds it in the clear. --encrypt-to age1… encrypts it again.`,
      );
    }
    const { file, manifest } = await exportSnapshot({
      repository,
      snapshot,
      path,
      encryption,
      signal: call.abort,
      progress,
    });
    const { counts, complete } = manifest;
    output.close();
    output.say(
      `${path}: snapshot ${snapshot.snapshot} of ${manifest.site.name}, ${count(counts.present, "item")} and ${count(counts.media, "media file")}, ` +
        `${size(file.bytes)}${complete ? "" : "; it was INCOMPLETE when it was made"}.`,
    );
    output.event("summary", {
      exitCode: EXIT.ok,
      file: { ...file, path },
      snapshot: snapshot.snapshot,
      complete,
      counts,
    });
    return EXIT.ok;
  } finally {
    await repository.close();
  }
}

/**
 * Whoever finds a file of that name later would believe that nobody without the key can read it.
 */
function unsealed(path: string): UsageError {
  return new UsageError(
    `${path} would say by its name that it is encrypted, and nothing was given that encrypts it. Add --encrypt-to age1…, or set GUIDEFERRY_PASSPHRASE; ` +
      "for a file in the clear leave out .age.",
  );
}

/** Itself, or archives of older snapshots that it needs. */
function isEncrypted({ encrypted, needs }: SnapshotIndex): boolean {
  return encrypted || needs.some(({ archive }) => parseArchiveName(archive)?.encrypted === true);
}

/** A folder gets a file with the name that the archive has in a repository. */
function pathOf(goal: string, { name, snapshot }: SnapshotIndex, encrypted: boolean): string {
  const isFolder = statSync(goal, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder
    ? join(resolve(goal), archiveName({ name, snapshot, kind: "full", part: null, encrypted }))
    : resolve(goal);
}
