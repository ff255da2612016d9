import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import type { FieldChange, ItemDifference, MediaDifference } from "../../backup/history/diff.js";
import type { BlamedLine, HistoryEntry } from "../../backup/history/history.js";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { keySchema } from "../../core/model/identity.js";
import { isMediaKind, type Key } from "../../core/model/key.js";
import { isUnder } from "../../core/util/files.js";
import { aroundDifference } from "../../core/util/text-difference.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { MediaRow, PresentRow, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import {
  archiveName,
  isBeforeRestore,
  parseArchiveName,
  sinceFull,
  startOf,
  timeOf,
} from "../../storage/repository/names.js";
import { bytesOf } from "../../storage/repository/plan-prune.js";
import { itemBytes } from "../../storage/repository/read/contents.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { Repository } from "../../storage/repository/repository.js";
import type { CommandCall } from "../command.js";
import type { Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { clockTime, count, quoted, size } from "../output/words.js";
import { chosenSnapshot, withRepository } from "./archives.js";
import { encryptionOf, keysOf } from "./keys.js";

const HEAD = ["snapshot", "kind", "items", "new", "changed", "deleted", "media", "size", "duration", ""];

export async function runSnapshots(call: CommandCall, storage: RepositoryStorage): Promise<ExitCode> {
  await withRepository(call, storage, async (repository) => printSnapshots(repository, call.output));
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

/** A warning if old snapshots are held back because the last backup had no key. */
function warningsOf(all: readonly SnapshotIndex[]): readonly string[] {
  const due = all.findLast((index) => !isBeforeRestore(index))?.fullDue;
  if (due === undefined) return [];
  return [
    `NO FULL SNAPSHOT: a full snapshot is due every ${due} snapshots (--full-every), but the last ${count(sinceFull(all), "snapshot")} had no key for one. No archive since the last full one can be pruned, ` +
      "regardless of --keep. Give the next backup --identity FILE (or GUIDEFERRY_PASSPHRASE).",
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

/** A name may be later than its run, so that it sorts after the others. */
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
    ...(isLate ? [`started ${start.toISOString().slice(0, 16)}Z`] : []),
  ];
}

function secondsOf({ started, finished }: SnapshotIndex): number {
  return Math.max(0, (Date.parse(finished) - Date.parse(started)) / 1000);
}

export async function runExport(call: CommandCall, storage: RepositoryStorage): Promise<ExitCode> {
  const { settings, output } = call;
  const goal = settings.archiveFile;
  if (goal === null) throw new UsageError("Name the file for the snapshot: -o FILE.zip.");
  const encryption = await encryptionOf(call, { passphrase: goal.toLowerCase().endsWith(".age") });
  const repository = await openRepository(storage, { keys: await keysOf(call) });
  try {
    const snapshot = chosenSnapshot(call, repository, settings.at);
    const path = pathOf(goal, snapshot, encryption !== null);
    if (storage.folder !== null && isUnder(path, storage.folder)) {
      throw new UsageError(
        `${path} is inside the repository, which may contain only snapshots. Name another place with -o.`,
      );
    }
    const progress = (done: number, total: number): void =>
      output.progress({ stage: "archive", done, total, failed: 0 });
    const isSealed = encryption !== null;
    if (!isSealed && path.toLowerCase().endsWith(".age")) throw unsealed(path);
    if (!isSealed && isEncrypted(snapshot)) {
      output.warn(
        `The snapshot is encrypted in the repository, but not in ${path}. To encrypt it there too, use --encrypt-to age1…`,
      );
    }
    const { exportSnapshot } = await import("../../backup/restore/export-snapshot.js");
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
        `${size(file.bytes)}${complete ? "" : "; this snapshot is INCOMPLETE"}.`,
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

/** A file named .age must be encrypted. */
function unsealed(path: string): UsageError {
  return new UsageError(
    `The name ${path} says that the file is encrypted, but there is no key. Add --encrypt-to age1…, or set GUIDEFERRY_PASSPHRASE. ` +
      "For an unencrypted file, leave out .age.",
  );
}

function isEncrypted({ encrypted, needs }: SnapshotIndex): boolean {
  return encrypted || needs.some(({ archive }) => parseArchiveName(archive)?.encrypted === true);
}

/** In a folder, the file has the name of an archive in a repository. */
function pathOf(goal: string, { name, snapshot }: SnapshotIndex, encrypted: boolean): string {
  const isFolder = statSync(goal, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder
    ? join(resolve(goal), archiveName({ name, snapshot, kind: "full", part: null, encrypted }))
    : resolve(goal);
}

/** Up to this many bytes are checked before the first one is written. */
const HELD = 32 * 1024 * 1024;

export function runCat(call: CommandCall, storage: RepositoryStorage, name: string): Promise<ExitCode> {
  return withRepository(call, storage, async (repository) => {
    const { snapshot } = chosenSnapshot(call, repository, call.settings.at);
    const content = await contentOf(repository, snapshot, name, call.settings.show);
    await write(content, call.stdout);
    return EXIT.ok;
  });
}

async function contentOf(
  repository: OpenRepository,
  snapshot: SnapshotId,
  name: string,
  show: Settings["show"],
): Promise<Readable> {
  if (/^[0-9a-f]{64}$/.test(name)) return mediumOf(repository, snapshot, name);
  const key = keySchema.safeParse(name);
  if (!key.success) {
    throw new UsageError(
      `"${name}" is neither a key nor a sha256. Examples of keys: guide/12, wiki/INFO/Page, category/Looms, image/5.`,
    );
  }
  const row = await presentRow(repository, snapshot, key.data);
  const wanted = show ?? (isMediaKind(row.kind) ? "bytes" : "item");
  if (wanted === "item") return Readable.from([await itemBytes(repository, row)]);
  // It loads the parsers of texts, which need a third of the time that this command takes.
  const { readableText, storedItem } = await import("../../backup/history/diff.js");
  const item = await storedItem(repository, row);
  if (wanted === "text") return Readable.from([Buffer.from(readableText(item))]);
  if (wanted === "answer") return Readable.from([Buffer.from(`${JSON.stringify(item.raw ?? null)}\n`)]);
  const content = "content" in item.body ? item.body.content : undefined;
  if (content === undefined)
    throw new UsageError(`${name} is not an image, video or document: it has no bytes. Use --show item.`);
  if (content === null)
    throw new UsageError(`The bytes of ${name} were never received. --show item prints its known data.`, {
      exitCode: EXIT.notFound,
    });
  return mediumOf(repository, snapshot, content.sha256);
}

async function presentRow(repository: OpenRepository, snapshot: SnapshotId, key: Key): Promise<PresentRow> {
  const row = await repository.item(snapshot, key);
  if (row?.state === "present") return row;
  const gone =
    row === undefined
      ? "did not exist in any snapshot until then"
      : `was deleted before the snapshot ${row.deleted}. Use --at with an earlier time`;
  throw new UsageError(`${key} is not in the snapshot ${snapshot}. It ${gone}.`, { exitCode: EXIT.notFound });
}

async function mediumOf(repository: OpenRepository, snapshot: SnapshotId, sha256: string): Promise<Readable> {
  const row = await repository.medium(snapshot, sha256);
  if (row === undefined)
    throw new UsageError(`The snapshot ${snapshot} has no media file ${sha256}.`, { exitCode: EXIT.notFound });
  return held(await repository.open(row), row);
}

async function held(content: Readable, { size }: MediaRow): Promise<Readable> {
  return size > HELD ? content : Readable.from([await buffer(content)]);
}

/** stdout stays open. A reader that ends (`| head`) is not an error. */
async function write(content: Readable, stdout: NodeJS.WritableStream): Promise<void> {
  for await (const piece of content) {
    if (!stdout.writable) return;
    if (!stdout.write(piece))
      await Promise.race([drained(stdout), finished(stdout, { readable: false }).catch(ignoreClosed)]);
  }
}

function drained(stdout: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => void stdout.once("drain", () => resolve()));
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

export function runDiff(call: CommandCall, storage: RepositoryStorage, one: string, other: string): Promise<ExitCode> {
  const { output, settings } = call;
  return withRepository(call, storage, async (repository) => {
    const { diffItems, diffMedia } = await import("../../backup/history/diff.js");
    const { snapshot: from } = chosenSnapshot(call, repository, one);
    const { snapshot: to } = chosenSnapshot(call, repository, other);
    const printer = createDiffPrinter(output, from, to);
    for await (const difference of diffItems(repository, from, to, { text: settings.text })) {
      call.stop.throwIfAborted();
      printer.print(difference);
    }
    printer.end(await diffMedia(repository, from, to));
    return EXIT.ok;
  });
}

export function runHistory(call: CommandCall, storage: RepositoryStorage, text: string): Promise<ExitCode> {
  const key = readKey(text);
  return withRepository(call, storage, async (repository) => {
    const { historyOf } = await import("../../backup/history/history.js");
    await printHistory(historyOf(repository, key), call.output);
    return EXIT.ok;
  });
}

export function runBlame(call: CommandCall, storage: RepositoryStorage, text: string): Promise<ExitCode> {
  const key = readKey(text);
  return withRepository(call, storage, async (repository) => {
    const { blameOf } = await import("../../backup/history/history.js");
    const { snapshot } = chosenSnapshot(call, repository, call.settings.at);
    const row = await repository.item(snapshot, key);
    if (row?.state === "deleted")
      call.output.warn(`${key} was deleted before the snapshot ${row.deleted}. These are its last lines.`);
    printBlame(await blameOf(repository, key, snapshot), call.output);
    return EXIT.ok;
  });
}

/** Fields that are named of one item, and characters of a value; `--json` has all. */
const FIELDS = 12;
const SHOWN = 60;

interface DiffPrinter {
  print(difference: ItemDifference): void;
  end(media: MediaDifference): void;
}

const SIGNS = { new: "+", changed: "~", deleted: "-" } as const;

function createDiffPrinter(output: Output, from: string, to: string): DiffPrinter {
  const counts = { new: 0, changed: 0, deleted: 0 };
  output.say(`From ${from} to ${to}:`);
  return {
    print: (difference) => {
      const { what, key, title, changes, text } = difference;
      counts[what] += 1;
      output.event("difference", difference);
      output.say(`${SIGNS[what]} ${key} ${quoted(title)}`);
      if (text !== null) output.say(text.trimEnd());
      else for (const line of describeChanges(changes)) output.say(`    ${line}`);
    },
    end: (media) => {
      output.say(`${counts.new} new, ${counts.changed} changed, ${counts.deleted} deleted; ${describeMedia(media)}.`);
      output.event("summary", { exitCode: EXIT.ok, from, to, ...counts, media });
    },
  };
}

/** `title: "Old" → "New"` */
function describeChanges(changes: readonly FieldChange[]): readonly string[] {
  const lines = changes.slice(0, FIELDS).map(({ path, before, after }) => {
    if (before === undefined) return `${path}: added`;
    if (after === undefined) return `${path}: removed`;
    const [from, to] = aroundDifference(jsonOf(before), jsonOf(after), SHOWN);
    return `${path}: ${from} → ${to}`;
  });
  return changes.length > FIELDS ? [...lines, `… and ${count(changes.length - FIELDS, "more field")}`] : lines;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

function describeMedia({ new: fresh, gone }: MediaDifference): string {
  return `media: ${fresh.contents} new (${size(fresh.bytes)}), ${gone.contents} deleted (${size(gone.bytes)})`;
}

async function printHistory(entries: AsyncIterable<HistoryEntry>, output: Output): Promise<void> {
  let changes = 0;
  for await (const entry of entries) {
    changes += 1;
    output.event("version", entry);
    output.say(describe(entry));
    for (const line of describeChanges(entry.changes)) output.say(`    ${line}`);
  }
  output.say(`${count(changes, "version")}.`);
  output.event("summary", { exitCode: EXIT.ok, versions: changes });
}

function describe({ snapshot, what, revision, title, modified, size, author }: HistoryEntry): string {
  const facts = [
    ...(revision === "" ? [] : [`revision ${revision}`]),
    ...(modified === null ? [] : [`changed ${dateOf(modified)}`]),
    ...(author === null ? [] : [`author ${author}`]),
    ...(size === null ? [] : [count(size, "byte")]),
  ];
  return `${snapshot}  ${what.padEnd(7)}  ${quoted(title)}  ${facts.join(", ")}`.trimEnd();
}

function printBlame(lines: readonly BlamedLine[], output: Output): void {
  const width = Math.max(0, ...lines.map(({ author }) => (author ?? "").length));
  const revisions = Math.max(0, ...lines.map(({ revision }) => revision.length));
  for (const each of lines) {
    const { snapshot, revision, author, line } = each;
    output.event("line", each);
    output.say(`${snapshot}  ${revision.padEnd(revisions)}  ${(author ?? "").padEnd(width)} | ${line}`.trimEnd());
  }
  output.event("summary", { exitCode: EXIT.ok, lines: lines.length });
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

function readKey(text: string): Key {
  const key = keySchema.safeParse(text);
  if (key.success) return key.data;
  throw new UsageError(`"${text}" is not a key. Examples of keys: guide/12, wiki/INFO/Page, category/Looms, image/5.`);
}
