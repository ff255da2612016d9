import type { Readable } from "node:stream";
import { FerryError } from "../../../core/errors.js";
import { turnsInTime } from "../../../core/util/concurrency.js";
import type { JsonObject } from "../../../core/util/json.js";
import {
  type ItemRow,
  type MediaRow,
  type Need,
  needsWith,
  type Place,
  type PresentRow,
  type SnapshotCounts,
  type SnapshotId,
  sumOf,
} from "../format.js";
import type { Repository } from "../repository.js";
import { LineSorter, textIn } from "./line-sorter.js";

/** The contents from `first` to before the first one of the next part. */
interface Part {
  /** The path of its first content; empty for the first part. */
  readonly first: string;
  readonly entries: number;
  /** Unpacked bytes of the contents. */
  readonly bytes: number;
}

/** Divides ordered contents into parts. There is at least one; the last is the main archive. */
async function planParts(
  drafted: Drafted,
  { bytes: mostBytes, entries: mostEntries }: { readonly bytes: number; readonly entries: number },
): Promise<Pick<Outline, "parts" | "movable">> {
  let part = { first: "", entries: 0, bytes: 0 };
  const parts = [part];
  const movable = { bytes: 0, largest: 0 };
  for await (const contents of contentsIn(drafted))
    for (const content of contents) {
      const { path, size } = content;
      if (part.entries > 0 && (part.entries >= mostEntries || part.bytes + size > mostBytes)) {
        part = { first: path, entries: 0, bytes: 0 };
        parts.push(part);
      }
      part.entries += 1;
      part.bytes += size;
      if (!isMovable(content)) continue;
      movable.bytes += size;
      movable.largest = Math.max(movable.largest, size);
    }
  return { parts, movable };
}

/** Media that no archive holds: nothing but the snapshot needs them where they are. */
export function isMovable({ archive, path }: NewContent): boolean {
  return archive === null && path.startsWith("media/");
}

function partOf(parts: readonly Part[], path: string): number {
  return parts.findLastIndex(({ first }) => first <= path);
}

/** `archive` null: no archive holds the bytes. */
type Unplaced<Row extends { readonly archive: string }> = Omit<Row, "archive"> & {
  readonly archive: string | null;
};

type DeletedRow = Extract<ItemRow, { readonly state: "deleted" }>;

/** The change since the previous snapshot, for counts; null: none. */
type Change = "new" | "changed" | "deleted" | null;

/**
 * A row of a new snapshot. With `write`, its bytes are written to this snapshot's archives, and
 * `archive` is their present archive or null. Without it, the bytes stay in `archive`, which can't
 * be null. `compared`: its `read` is that of the snapshot.
 */
export type Draft =
  | {
      readonly item: Unplaced<PresentRow>;
      readonly write: boolean;
      readonly change: Change;
      readonly compared?: boolean;
    }
  | { readonly item: DeletedRow; readonly change: Change }
  | { readonly medium: Unplaced<MediaRow>; readonly write: boolean; readonly change: Change };

export type NewContent = Unplaced<MediaRow>;

/**
 * Returns the bytes of a content, small ones preferably as a Buffer without a promise. The memory
 * of a Buffer of up to `AT_ONCE` bytes may be reused by the next call.
 */
export type OpenContent = (content: NewContent) => Promise<Readable | Buffer> | Buffer;

/** The drafts of a snapshot, sorted on the disk. */
export interface Drafted {
  /** Rows sorted by key and by sha256; see `rowsIn`. */
  readonly items: LineSorter;
  readonly media: LineSorter;
  /** Contents to be written, sorted by path; see `ContentQueue`. */
  readonly contents: LineSorter;
  close(): Promise<void>;
}

/** Sorts drafts; for equal keys, sha256 or paths the first one counts. */
export async function sortDrafts(drafts: AsyncIterable<Draft> | Iterable<Draft>, scratch: string): Promise<Drafted> {
  const [items, media, contents] = [new LineSorter(scratch), new LineSorter(scratch), new LineSorter(scratch)];
  const close = async (): Promise<void> => {
    for (const sorter of [items, media, contents]) await sorter.close();
  };
  try {
    // The source of drafts may never wait, so signals and timers would.
    const dueTurn = turnsInTime();
    for await (const draft of drafts) {
      await dueTurn();
      const row = "medium" in draft ? draft.medium : draft.item;
      if ("write" in draft && !draft.write && "archive" in row && row.archive === null) throw placeless(row.path);
      if ("medium" in draft) await media.add(draft.medium.sha256, heldRow(draft));
      else await items.add(draft.item.key, heldRow(draft));
      if ("write" in draft && draft.write && "path" in row) await contents.add(row.path, heldContent(row));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { items, media, contents, close };
}

/**
 * A row of a new snapshot, with parts of its line of JSON: a row is never parsed, and written as
 * JSON once.
 */
interface SortedRow {
  readonly write: boolean;
  readonly change: Change;
  /** JSON of the archive that has the bytes, `null`; empty: it has no bytes. */
  readonly archive: string;
  /** JSON of the path; empty: it has no bytes. */
  readonly path: string;
  readonly size: number;
  /** The fields before `read`, that field or nothing, and the fields between it and `archive`. */
  readonly fields: readonly [before: string, read: string, after: string];
}

/** JSON has no tabs between or in its values. */
const BETWEEN = "\t";

function heldRow(draft: Draft): string {
  const { change } = draft;
  const write = "write" in draft && draft.write ? "write" : "";
  if ("medium" in draft) {
    const { sha256, size, archive, path } = draft.medium;
    return held(write, change, JSON.stringify(archive), JSON.stringify(path), size, bytesIn(sha256, size), "", "");
  }
  const { item } = draft;
  if (item.state === "deleted") {
    const { key, kind, state, revision, title, deleted } = item;
    return held(write, change, "", "", 0, fieldsIn({ key, kind, state, revision, title, deleted }), "", "");
  }
  const { key, kind, state, revision, title, category, modified, read, sha256, size, archive, path } = item;
  const before = fieldsIn({ key, kind, state, revision, title, category, modified });
  const place = [JSON.stringify(archive), JSON.stringify(path), size] as const;
  const own = "compared" in draft && draft.compared === true ? "" : `"read":${read}`;
  return held(write, change, ...place, before, own, bytesIn(sha256, size));
}

function held(...values: readonly (string | number | null)[]): string {
  return values.join(BETWEEN);
}

/** A sha256 and a number are their own JSON. */
function bytesIn(sha256: string, size: number): string {
  return `"sha256":"${sha256}","size":${size}`;
}

function fieldsIn(fields: JsonObject): string {
  return JSON.stringify(fields).slice(1, -1);
}

const CHANGES: Readonly<Record<string, Change>> = { new: "new", changed: "changed", deleted: "deleted" };

/** The mark that a snapshot does not have a row of its base, for `rowIn`. */
export function removedRow(field: string, key: string): string {
  return held("", null, "", "", 0, fieldsIn({ [field]: key, removed: true }), "", "");
}

/** The row in a line of a sorter. */
export function rowIn(line: string): SortedRow {
  const [write, change = "", archive = "", path = "", size, before = "", read = "", after = ""] = line.split(BETWEEN);
  const fields = [before, read, after] as const;
  return { write: write !== "", change: CHANGES[change] ?? null, archive, path, size: Number(size), fields };
}

/** The rows of a sorter, some at a time. */
export async function* rowsIn(sorter: LineSorter): AsyncGenerator<readonly SortedRow[]> {
  for await (const lines of sorter.sorted()) yield lines.map(({ line }) => rowIn(line));
}

/** The line of a row; `archiveOf`: the file to which a path is written. */
export function lineOf({ write, archive, path, fields }: SortedRow, archiveOf: (path: string) => string): string {
  const holder = write ? JSON.stringify(archiveOf(textIn(path))) : archive;
  const place = path === "" ? "" : `"archive":${holder},"path":${path}`;
  const [before, read, after] = fields;
  const summed = `{${[before, after, place].filter((part) => part !== "").join(",")}}`;
  const row = [before, read, after, place, `"sum":"${sumOf(summed)}"`];
  return `{${row.filter((part) => part !== "").join(",")}}`;
}

function heldContent({ sha256, size, archive }: NewContent): string {
  return held(sha256, size, JSON.stringify(archive));
}

/** Contents to be written, sorted by path, some at a time. */
async function* contentsIn({ contents }: Drafted): AsyncGenerator<readonly NewContent[]> {
  for await (const lines of contents.sorted())
    yield lines.map(({ key, line }) => {
      const [sha256 = "", size, archive = "null"] = line.split(BETWEEN);
      return { sha256, size: Number(size), archive: archive === "null" ? null : textIn(archive), path: key };
    });
}

/** Takes contents to be written in order, some at a time: a promise for each costs too much. */
export class ContentQueue {
  readonly #batches: AsyncGenerator<readonly NewContent[]>;
  #batch: readonly NewContent[] = [];
  #taken = 0;

  constructor(drafted: Drafted) {
    this.#batches = contentsIn(drafted);
  }

  /** Returns at least one and at most so many; none at the end. */
  async take(most: number): Promise<readonly NewContent[]> {
    while (this.#taken === this.#batch.length) {
      const { done, value } = await this.#batches.next();
      if (done === true) return [];
      this.#batch = value;
      this.#taken = 0;
    }
    const taken = this.#batch.slice(this.#taken, this.#taken + most);
    this.#taken += taken.length;
    return taken;
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}

export interface Outline {
  readonly parts: readonly Part[];
  /** Bytes of all contents that `isMovable` names, and of the largest of them. */
  readonly movable: { readonly bytes: number; readonly largest: number };
  readonly counts: SnapshotCounts;
  readonly needs: readonly Need[];
}

export async function outlineOf(
  drafted: Drafted,
  limits: { readonly bytes: number; readonly entries: number },
): Promise<Outline> {
  const counts = { present: 0, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 };
  const needs = new Map<string, { contents: number; bytes: number }>();
  const note = ({ archive, write, size }: SortedRow): void => {
    if (write || archive === "" || archive === "null") return;
    const need = needs.get(archive) ?? { contents: 0, bytes: 0 };
    needs.set(archive, need);
    need.contents += 1;
    need.bytes += size;
  };
  for await (const rows of rowsIn(drafted.items))
    for (const row of rows) {
      if (row.change !== null) counts[row.change] += 1;
      if (row.path !== "") counts.present += 1;
      note(row);
    }
  for await (const rows of rowsIn(drafted.media))
    for (const row of rows) {
      counts.media += 1;
      counts.mediaBytes += row.size;
      if (row.change === "new") counts.newMedia += 1;
      note(row);
    }
  const planned = await planParts(drafted, limits);
  const named = [...needs].map(([archive, need]) => ({ archive: textIn(archive), ...need }));
  return { ...planned, counts, needs: needsWith(named, undefined) };
}

/** The outline of a rewritten snapshot: it keeps the counts of changes of its first writing. */
export function withNews(outline: Outline, news: Partial<SnapshotCounts> = {}): Outline {
  const { new: fresh, changed, deleted, newMedia } = { ...outline.counts, ...news };
  return { ...outline, counts: { ...outline.counts, new: fresh, changed, deleted, newMedia } };
}

export function fileOf(parts: readonly Part[], names: readonly string[]): (path: string) => string {
  return (path) => names[partOf(parts, path)] ?? "";
}

function placeless(path: string): FerryError {
  return new FerryError(`${path} is in no archive and is not to be written. This is a defect of guideferry.`);
}

/** Every row of a snapshot, with its bytes to be written again; tombstones unchanged. */
export async function* draftsFrom(
  repository: Pick<Repository, "items" | "media">,
  snapshot: SnapshotId,
): AsyncGenerator<Draft> {
  for await (const item of repository.items(snapshot)) {
    if (item.state === "deleted") yield { item, change: null };
    else yield { item, write: true, change: null };
  }
  for await (const medium of repository.media(snapshot)) yield { medium, write: true, change: null };
}

export function openFrom(repository: Pick<Repository, "open">, content: NewContent): Promise<Readable> {
  return repository.open(placeOf(content));
}

function placeOf({ archive, ...content }: NewContent): Place {
  if (archive !== null) return { ...content, archive };
  throw new FerryError(`${content.path} is in no archive. This is a defect of guideferry.`);
}
