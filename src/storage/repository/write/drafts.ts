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

/** The contents from `first` up to the next part's. */
interface Part {
  /** The path of its first content; empty for the first part. */
  readonly first: string;
  readonly entries: number;
  /** Of the contents, unpacked. */
  readonly bytes: number;
}

/**
 * Divides contents, in their order, into parts (README.md, "An archive"). There is always at least
 * one, the last of them being the main archive.
 */
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

/** The number of the part, from 0, that holds the content with this path. */
function partOf(parts: readonly Part[], path: string): number {
  return parts.findLastIndex(({ first }) => first <= path);
}

/** A place that may not be known yet: `archive` null means that no archive holds the bytes. */
type Unplaced<Row extends { readonly archive: string }> = Omit<Row, "archive"> & {
  readonly archive: string | null;
};

type DeletedRow = Extract<ItemRow, { readonly state: "deleted" }>;

/** What a row is compared with the snapshot before; null: as it was. For counts only. */
type Change = "new" | "changed" | "deleted" | null;

/**
 * A row of the snapshot to be. With `write` its bytes go into this snapshot's archives, and
 * `archive` says where they lie now (null: in no archive); without it the row names the archive
 * where they stay, which can't be null.
 */
export type Draft =
  | { readonly item: Unplaced<PresentRow>; readonly write: boolean; readonly change: Change }
  | { readonly item: DeletedRow; readonly change: Change }
  | { readonly medium: Unplaced<MediaRow>; readonly write: boolean; readonly change: Change };

/** Bytes that go into an archive. */
export type NewContent = Unplaced<MediaRow>;

/**
 * Gives the bytes of a content that is written; small ones best at once. They are checked against
 * size and sha256 while they pass. A Buffer of up to `AT_ONCE` bytes may lie in memory that the
 * next call uses again.
 */
export type OpenContent = (content: NewContent) => Promise<Readable | Buffer>;

/** The drafts of a snapshot, sorted on the disk. */
export interface Drafted {
  /** Rows by key and by sha256; see `lineOf`. */
  readonly items: LineSorter<SortedRow>;
  readonly media: LineSorter<SortedRow>;
  /** Contents that are written, by path. */
  readonly contents: LineSorter<NewContent>;
  close(): Promise<void>;
}

/** Then timers and signals have their turn: what gives the drafts may never wait. */
const TAKEN_AT_ONCE = 1000;

/** Takes drafts in, in any order; of several for one key, sha256 or path the first one counts. */
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

/**
 * What a sorted row holds: the fields of its line before and behind `archive`, so that each line
 * has them in one order.
 */
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

/**
 * The line of a sorted row; `archiveOf` gives the file that what is written with this path goes
 * into.
 */
export function lineOf({ before, place, write }: SortedRow, archiveOf: (path: string) => string): string {
  const row =
    place === null ? before : { ...before, archive: write ? archiveOf(place.path) : place.archive, path: place.path };
  return JSON.stringify({ ...row, sum: rowSum(row) });
}

function contentIn({ sha256, size, archive, path }: NewContent): NewContent {
  return { sha256, size, archive, path };
}

/** The contents that are written, in their order. */
export async function* contentsOf({ contents }: Drafted): AsyncGenerator<NewContent> {
  for await (const { value } of contents.sorted()) yield value;
}

/** How many contents of another snapshot's file are named, and their bytes. */
interface Need {
  readonly archive: string;
  readonly contents: number;
  readonly bytes: number;
}

/** What is known of a snapshot when all its rows are. */
export interface Outline {
  readonly parts: readonly Part[];
  readonly counts: SnapshotCounts;
  /** Files that are there already, by name. */
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

/**
 * The outline of a snapshot that is written once more: what it brought is what it brought the first
 * time.
 */
export function withNews(outline: Outline, news: Partial<SnapshotCounts> = {}): Outline {
  const { new: fresh, changed, deleted, newMedia } = { ...outline.counts, ...news };
  return { ...outline, counts: { ...outline.counts, new: fresh, changed, deleted, newMedia } };
}

/** The name of the file that holds what is written with a path. */
export function fileOf(parts: readonly Part[], names: readonly string[]): (path: string) => string {
  return (path) => names[partOf(parts, path)] ?? "";
}

function placeless(path: string): FerryError {
  return new FerryError(`${path} lies in no archive and was not to be written: a defect of guideferry.`);
}

/** Every row of a snapshot, its bytes to be written anew; tombstones as they are. */
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

/** The bytes of a content that lies in the repository. */
export function openFrom(repository: Pick<Repository, "open">, content: NewContent): Promise<Readable> {
  return repository.open(placeOf(content));
}

function placeOf({ archive, ...content }: NewContent): Place {
  if (archive !== null) return { ...content, archive };
  throw new FerryError(`${content.path} lies in no archive: a defect of guideferry.`);
}
