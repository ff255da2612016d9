import { diffArrays } from "diff";
import { UsageError } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { commonEnds, maxEditLength } from "../../core/util/text-difference.js";
import type { ItemRow, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { type FieldChange, fieldChanges, readableText, storedItem } from "./diff.js";

/** How an item was found in a night: what it was not in the one before. */
export interface HistoryEntry {
  readonly snapshot: SnapshotId;
  /** `back`: it was gone before. */
  readonly what: "new" | "changed" | "deleted" | "back";
  readonly revision: string;
  readonly title: string;
  /** UNIX seconds, as the site said; null: it didn't, or the item is gone. */
  readonly modified: number | null;
  /** Bytes; null: it is gone. */
  readonly size: number | null;
  readonly sha256: string | null;
  /** Whom the item itself names: its author. */
  readonly author: string | null;
  /** Against the version before; empty for the first one. */
  readonly changes: readonly FieldChange[];
}

/**
 * Each night in which an item changed, oldest first. Throws what Repository says, and UsageError
 * (exit 10) when none has it.
 */
export async function* historyOf(repository: OpenRepository, key: Key): AsyncGenerator<HistoryEntry> {
  let before: Item | undefined;
  let isGone = false;
  const versions = await versionsOf(repository, key);
  if (versions.length === 0) throw neverSeen(repository, key);
  for (const { index, row } of versions) {
    const { snapshot } = index;
    const { revision, title } = row;
    if (row.state === "deleted") {
      isGone = true;
      yield { snapshot, what: "deleted", revision, title, ...NOTHING };
      continue;
    }
    const item = await storedItem(repository, row);
    const { modified, size, sha256 } = row;
    const changes = before === undefined ? [] : fieldChanges(before, item);
    const what = isGone ? "back" : before === undefined ? "new" : "changed";
    yield { snapshot, what, revision, title, modified, size, sha256, author: authorOf(item), changes };
    before = item;
    isGone = false;
  }
}

const NOTHING = { modified: null, size: null, sha256: null, author: null, changes: [] } as const;

/** The name of the person that an item tells as its author. */
function authorOf(item: Item): string | null {
  return "author" in item.body ? (item.body.author?.name ?? null) : null;
}

/**
 * The lines of the last version of an item, up to a snapshot, each with the night that it came in.
 * A night shows only that something changed since the night before: of several revisions between
 * two nights the last one is named.
 */
export async function blameOf(repository: OpenRepository, key: Key, until: SnapshotId): Promise<readonly BlamedLine[]> {
  let lines: readonly BlamedLine[] = [];
  const versions = (await versionsOf(repository, key)).filter(({ index }) => index.snapshot <= until);
  if (versions.length === 0) throw neverSeen(repository, key);
  for (const { index, row } of versions) {
    if (row.state === "deleted") continue;
    const item = await storedItem(repository, row);
    const { snapshot } = index;
    const origin = { snapshot, revision: row.revision, modified: row.modified, author: authorOf(item) };
    lines = carriedOver(lines, linesOf(readableText(item)), origin);
  }
  return lines;
}

/** Where a line comes from: the first night that had it so. */
export interface BlamedLine {
  readonly snapshot: SnapshotId;
  readonly revision: string;
  /** UNIX seconds, as the site said of that revision. */
  readonly modified: number | null;
  readonly author: string | null;
  readonly line: string;
}

/** The night that a line came in. */
export type Origin = Omit<BlamedLine, "line">;

/**
 * Lines that stayed keep their origin, others get this one; so do all between the first and the
 * last that changed, where finding what stayed among them would take minutes.
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

/** An item in the first snapshot that had it so. */
interface Version {
  readonly index: SnapshotIndex;
  readonly row: ItemRow;
}

/**
 * Every version of an item, oldest first: each time its bytes changed, it went, or came back;
 * empty: no snapshot has it. Snapshots in which it can't have changed, by the counts of their index
 * and the names in their archives, are passed over without reading their rows; so a year of nights
 * takes a moment. Throws what Repository says.
 */
export async function versionsOf(repository: OpenRepository, key: Key): Promise<readonly Version[]> {
  const last = repository.snapshots().at(-1);
  if (last === undefined) return [];
  const row = await repository.item(last.snapshot, key);
  const path = await pathOf(repository, key, row);
  const versions = await walk(repository, key, path);
  // Else something lies elsewhere than it always did: then nothing is passed over.
  return stateOf(versions.at(-1)?.row) === stateOf(row) ? versions : walk(repository, key, undefined);
}

/** Where its bytes lie in an archive, the same in all; undefined: it can't be told. */
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
 * May an item differ from how it was in the snapshot before? What is new or changed has its bytes,
 * under `path`, in the archives of its snapshot, unless the same bytes were written before.
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

/** What is told of a key that nobody has. */
function neverSeen(repository: OpenRepository, key: Key): UsageError {
  return new UsageError(
    `No snapshot of ${repository.folder} has ${key}. \`guideferry diff REPO A B\` and items.ndjson in the archives show which keys there are.`,
    { exitCode: 10 },
  );
}

/** The lines of a text, without their ends. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
