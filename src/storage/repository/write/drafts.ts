import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { FerryError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/util/json.js";
import {
  type ItemRow,
  type MediaRow,
  type Place,
  type PresentRow,
  rowSum,
  type SnapshotCounts,
  type SnapshotId,
} from "../format.js";
import type { Repository } from "../repository.js";
import { LineSorter } from "./line-sorter.js";

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
  contents: AsyncIterable<{ readonly path: string; readonly size: number }>,
  { bytes: mostBytes, entries: mostEntries }: { readonly bytes: number; readonly entries: number },
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let part: Part = { first: "", entries: 0, bytes: 0 };
  for await (const { path, size } of contents) {
    const isFull = part.entries > 0 && (part.entries >= mostEntries || part.bytes + size > mostBytes);
    if (isFull) parts.push(part);
    part = isFull
      ? { first: path, entries: 1, bytes: size }
      : { ...part, entries: part.entries + 1, bytes: part.bytes + size };
  }
  return [...parts, part];
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
 * be null.
 */
export type Draft =
  | { readonly item: Unplaced<PresentRow>; readonly write: boolean; readonly change: Change }
  | { readonly item: DeletedRow; readonly change: Change }
  | { readonly medium: Unplaced<MediaRow>; readonly write: boolean; readonly change: Change };

export type NewContent = Unplaced<MediaRow>;

/**
 * Returns the bytes of a content, small ones preferably as a Buffer. The memory of a Buffer of up
 * to `AT_ONCE` bytes may be reused by the next call.
 */
export type OpenContent = (content: NewContent) => Promise<Readable | Buffer>;

/** The drafts of a snapshot, sorted on the disk. */
export interface Drafted {
  /** Rows sorted by key and by sha256; see `lineOf`. */
  readonly items: LineSorter<SortedRow>;
  readonly media: LineSorter<SortedRow>;
  /** Contents to be written, sorted by path. */
  readonly contents: LineSorter<NewContent>;
  close(): Promise<void>;
}

/** Drafts between two turns for timers and signals; the source of drafts may never wait. */
const TAKEN_AT_ONCE = 1000;

/** Sorts drafts; for equal keys, sha256 or paths the first one counts. */
export async function sortDrafts(drafts: AsyncIterable<Draft> | Iterable<Draft>, scratch: string): Promise<Drafted> {
  const [items, media] = [new LineSorter<SortedRow>(scratch), new LineSorter<SortedRow>(scratch)];
  const contents = new LineSorter<NewContent>(scratch);
  const close = async (): Promise<void> => {
    for (const sorter of [items, media, contents]) await sorter.close();
  };
  try {
    let taken = 0;
    for await (const draft of drafts) {
      taken += 1;
      if (taken % TAKEN_AT_ONCE === 0) await setImmediate();
      const row = "medium" in draft ? draft.medium : draft.item;
      if ("write" in draft && !draft.write && "archive" in row && row.archive === null) throw placeless(row.path);
      if ("medium" in draft) await media.add(draft.medium.sha256, sorted(draft));
      else await items.add(draft.item.key, sorted(draft));
      if ("write" in draft && draft.write && "path" in row) await contents.add(row.path, contentIn(row));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { items, media, contents, close };
}

/** The fields of a row's line before and after `archive`, so that every line has the same order. */
interface SortedRow {
  readonly before: JsonObject;
  readonly place: { readonly archive: string | null; readonly path: string; readonly size: number } | null;
  readonly write: boolean;
  readonly change: Change;
}

function sorted(draft: Draft): SortedRow {
  const { change } = draft;
  const write = "write" in draft && draft.write;
  if ("medium" in draft) {
    const { sha256, size, archive, path } = draft.medium;
    return { before: { sha256, size }, place: { archive, path, size }, write, change };
  }
  const { item } = draft;
  if (item.state === "deleted") {
    const { key, kind, state, revision, title, deleted } = item;
    return { before: { key, kind, state, revision, title, deleted }, place: null, write, change };
  }
  const { key, kind, state, revision, title, category, modified, read, sha256, size, archive, path } = item;
  const before = { key, kind, state, revision, title, category, modified, read, sha256, size };
  return { before, place: { archive, path, size }, write, change };
}

/** The line of a sorted row; `archiveOf`: the file to which a path is written. */
export function lineOf({ before, place, write }: SortedRow, archiveOf: (path: string) => string): string {
  const row =
    place === null ? before : { ...before, archive: write ? archiveOf(place.path) : place.archive, path: place.path };
  return JSON.stringify({ ...row, sum: rowSum(row) });
}

function contentIn({ sha256, size, archive, path }: NewContent): NewContent {
  return { sha256, size, archive, path };
}

export async function* contentsOf({ contents }: Drafted): AsyncGenerator<NewContent> {
  for await (const { value } of contents.sorted()) yield value;
}

/** The number and bytes of contents in a file of another snapshot. */
interface Need {
  readonly archive: string;
  readonly contents: number;
  readonly bytes: number;
}

export interface Outline {
  readonly parts: readonly Part[];
  readonly counts: SnapshotCounts;
  readonly needs: readonly Need[];
}

export async function outlineOf(
  drafted: Drafted,
  limits: { readonly bytes: number; readonly entries: number },
): Promise<Outline> {
  const counts = { present: 0, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 };
  const needs = new Map<string, Need>();
  const note = ({ place, write }: SortedRow): void => {
    if (place?.archive == null || write) return;
    const { archive } = place;
    const { contents, bytes } = needs.get(archive) ?? { contents: 0, bytes: 0 };
    needs.set(archive, { archive, contents: contents + 1, bytes: bytes + place.size });
  };
  for await (const { value: row } of drafted.items.sorted()) {
    if (row.change !== null) counts[row.change] += 1;
    if (row.place !== null) counts.present += 1;
    note(row);
  }
  for await (const { value: row } of drafted.media.sorted()) {
    counts.media += 1;
    counts.mediaBytes += row.place?.size ?? 0;
    if (row.change === "new") counts.newMedia += 1;
    note(row);
  }
  const parts = await planParts(contentsOf(drafted), limits);
  return { parts, counts, needs: [...needs.values()].toSorted((a, b) => (a.archive < b.archive ? -1 : 1)) };
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
