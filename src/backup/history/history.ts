import { diffArrays } from "diff";
import { UsageError } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { commonEnds, maxEditLength } from "../../core/util/text-difference.js";
import type { ItemRow, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { type FieldChange, fieldChanges, readableText, storedItem } from "./diff.js";

/** A snapshot in which an item differs from the snapshot before. */
export interface HistoryEntry {
  readonly snapshot: SnapshotId;
  /** `back`: it was deleted before. */
  readonly what: "new" | "changed" | "deleted" | "back";
  readonly revision: string;
  readonly title: string;
  /** UNIX seconds, from the site; null: unknown, or the item is deleted. */
  readonly modified: number | null;
  /** Bytes; null: it is deleted. */
  readonly size: number | null;
  readonly sha256: string | null;
  readonly author: string | null;
  /** Differences from the version before; empty for the first one. */
  readonly changes: readonly FieldChange[];
}

/**
 * The snapshots in which an item changed, oldest first. Throws what Repository throws, and
 * UsageError (exit 10) when no snapshot has the item.
 */
export async function* historyOf(repository: OpenRepository, key: Key): AsyncGenerator<HistoryEntry> {
  let before: Item | undefined;
  let isDeleted = false;
  const versions = await versionsOf(repository, key);
  if (versions.length === 0) throw unknownKey(repository, key);
  for (const { index, row } of versions) {
    const { snapshot } = index;
    const { revision, title } = row;
    if (row.state === "deleted") {
      isDeleted = true;
      yield { snapshot, what: "deleted", revision, title, ...NOTHING };
      continue;
    }
    const item = await storedItem(repository, row);
    const { modified, size, sha256 } = row;
    const changes = before === undefined ? [] : fieldChanges(before, item);
    const what = isDeleted ? "back" : before === undefined ? "new" : "changed";
    yield { snapshot, what, revision, title, modified, size, sha256, author: authorOf(item), changes };
    before = item;
    isDeleted = false;
  }
}

const NOTHING = { modified: null, size: null, sha256: null, author: null, changes: [] } as const;

function authorOf(item: Item): string | null {
  return "author" in item.body ? (item.body.author?.name ?? null) : null;
}

/**
 * The lines of an item as a snapshot has it, each with the snapshot that first had the line. Of
 * several revisions between two snapshots only the last one is known.
 */
export async function blameOf(repository: OpenRepository, key: Key, until: SnapshotId): Promise<readonly BlamedLine[]> {
  let lines: readonly BlamedLine[] = [];
  const versions = (await versionsOf(repository, key)).filter(({ index }) => index.snapshot <= until);
  if (versions.length === 0) throw unknownKey(repository, key);
  for (const { index, row } of versions) {
    if (row.state === "deleted") continue;
    const item = await storedItem(repository, row);
    const { snapshot } = index;
    const origin = { snapshot, revision: row.revision, modified: row.modified, author: authorOf(item) };
    lines = carriedOver(lines, linesOf(readableText(item)), origin);
  }
  return lines;
}

/** A line with the first snapshot that has it. */
export interface BlamedLine {
  readonly snapshot: SnapshotId;
  readonly revision: string;
  /** UNIX seconds, from the site. */
  readonly modified: number | null;
  readonly author: string | null;
  readonly line: string;
}

/** The snapshot in which a line appeared. */
export type Origin = Omit<BlamedLine, "line">;

/**
 * Unchanged lines keep their origin, others get this one. Where the comparison would take minutes,
 * all lines between the first and the last change get it.
 */
export function carriedOver(
  before: readonly BlamedLine[],
  after: readonly string[],
  origin: Origin,
): readonly BlamedLine[] {
  const old = before.map(({ line }) => line);
  const [start, end] = commonEnds(old, after);
  const [gone, come] = [old.slice(start, old.length - end), after.slice(start, after.length - end)];
  const lines = before.slice(0, start);
  const changes = diffArrays(gone, come, { maxEditLength: maxEditLength(gone.length, come.length) });
  let at = start;
  for (const { added, removed, value } of changes ?? [{ added: true, removed: false, value: come }]) {
    if (added) lines.push(...value.map((line) => ({ ...origin, line })));
    else {
      if (!removed) lines.push(...before.slice(at, at + value.length));
      at += value.length;
    }
  }
  return [...lines, ...before.slice(before.length - end)];
}

interface Version {
  readonly index: SnapshotIndex;
  readonly row: ItemRow;
}

/**
 * Every version of an item, oldest first: each change, deletion and return; empty: no snapshot has
 * it. For speed, rows are read only of snapshots in which it can have changed, by the counts of
 * their index and the names in their archives. Throws what Repository throws.
 */
export async function versionsOf(repository: OpenRepository, key: Key): Promise<readonly Version[]> {
  const last = repository.snapshots().at(-1);
  if (last === undefined) return [];
  const row = await repository.item(last.snapshot, key);
  const path = await pathOf(repository, key, row);
  const versions = await walk(repository, key, path);
  // The path differs between archives: read all snapshots.
  return stateOf(versions.at(-1)?.row) === stateOf(row) ? versions : walk(repository, key, undefined);
}

/** The path of its bytes, the same in all archives; undefined: unknown. */
async function pathOf(repository: OpenRepository, key: Key, row: ItemRow | undefined): Promise<string | undefined> {
  if (row === undefined || row.state === "present") return row?.path;
  const before = repository.snapshots().findLast(({ snapshot }) => snapshot < row.deleted);
  const earlier = before === undefined ? undefined : await repository.item(before.snapshot, key);
  return earlier?.state === "present" ? earlier.path : undefined;
}

async function walk(repository: OpenRepository, key: Key, path: string | undefined): Promise<readonly Version[]> {
  const versions: Version[] = [];
  let last: SnapshotIndex | undefined;
  for (const index of repository.snapshots()) {
    const isNext = last !== undefined && index.previous === last.snapshot;
    last = index;
    if (isNext && path !== undefined && !(await mayHaveChanged(repository, index, path))) continue;
    const row = await repository.item(index.snapshot, key);
    if (row !== undefined && stateOf(row) !== stateOf(versions.at(-1)?.row)) versions.push({ index, row });
  }
  return versions;
}

function stateOf(row: ItemRow | undefined): string {
  if (row === undefined) return "";
  return row.state === "deleted" ? "deleted" : row.sha256;
}

/**
 * Can an item differ from the snapshot before? The archives of a snapshot hold the bytes of new and
 * changed items under `path`, unless the same bytes were written before.
 */
async function mayHaveChanged(repository: OpenRepository, index: SnapshotIndex, path: string): Promise<boolean> {
  const { counts, kind, archives } = index;
  if (counts.new + counts.changed + counts.deleted === 0) return false;
  if (kind !== "incremental" || counts.deleted > 0) return true;
  let written = 0;
  for (const { name } of archives) {
    const has = await repository.pool.use(name, ({ entries }) => {
      written += entries.countBelow("items/");
      return entries.find(path) !== undefined;
    });
    if (has) return true;
  }
  return written < counts.new + counts.changed;
}

function unknownKey(repository: OpenRepository, key: Key): UsageError {
  return new UsageError(
    `No snapshot of ${repository.address} has ${key}. \`guideferry diff REPO A B\` and items.ndjson in the archives show which keys there are.`,
    { exitCode: 10 },
  );
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
