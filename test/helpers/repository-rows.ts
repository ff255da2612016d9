import { createHash } from "node:crypto";
import type { Item } from "../../src/core/model/item.js";
import type { ItemRow, MediaRow, Place, SnapshotId, SnapshotKind } from "../../src/storage/repository/format.js";
import { timeOf } from "../../src/storage/repository/names.js";

// What the helper of repositories knows of a night before anything is written.

/** The whole state of a site in one night. */
export interface Night {
  readonly snapshot: SnapshotId;
  readonly items: readonly Item[];
  readonly media?: readonly Buffer[];
  /** Default: full for the first night, incremental for the others. */
  readonly kind?: SnapshotKind;
  /** Parts before the main archive; default: 0. */
  readonly parts?: number;
  readonly complete?: boolean;
}

/** The text that is stored of an item. */
export function textOf(item: Item): Buffer {
  return Buffer.from(`${JSON.stringify(item)}\n`);
}

export function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export interface Unwritten {
  readonly path: string;
  readonly content: Buffer;
}

function itemPath(item: Item): string {
  const hash = sha256Of(Buffer.from(item.key)).slice(0, 16);
  return `items/${item.kind}/${hash.slice(0, 2)}/${hash}.json`;
}

function mediumPath(bytes: Buffer): string {
  const hash = sha256Of(bytes);
  return `media/${hash.slice(0, 2)}/${hash}.png`;
}

export function unwritten(
  night: Night,
  known: { readonly items: readonly ItemRow[]; readonly media: readonly MediaRow[] },
): readonly Unwritten[] {
  const held = new Set([...known.items, ...known.media].flatMap((row) => ("sha256" in row ? [row.sha256] : [])));
  const items = night.items.map((item) => ({ path: itemPath(item), content: textOf(item) }));
  const media = (night.media ?? []).map((content) => ({ path: mediumPath(content), content }));
  const fresh = [...items, ...media].filter(({ content }) => !held.has(sha256Of(content)));
  return [...new Map(fresh.map((content) => [content.path, content])).values()].toSorted(by(({ path }) => path));
}

export function itemRows(
  night: Night,
  before: readonly ItemRow[],
  known: readonly ItemRow[],
  placed: ReadonlyMap<string, string>,
): readonly ItemRow[] {
  const present = night.items.map((item): ItemRow => {
    const { key, kind, revision, body } = item;
    const title = "title" in body ? body.title : "";
    const modified = "modifiedDate" in body ? body.modifiedDate : null;
    const category = item.kind === "guide" ? item.body.category : null;
    const read = timeOf(night.snapshot).getTime() / 1000;
    const row = { key, kind, state: "present" as const, revision, title, category, modified, read };
    return { ...row, ...placeOf(itemPath(item), textOf(item), known, placed) };
  });
  const there = new Set(night.items.map(({ key }) => key));
  const gone = before
    .filter(({ key }) => !there.has(key))
    .map((row): ItemRow => {
      const { key, kind, revision, title } = row;
      return row.state === "deleted" ? row : { key, kind, state: "deleted", revision, title, deleted: night.snapshot };
    });
  return [...present, ...gone].toSorted(by(({ key }) => key));
}

export function mediaRows(
  night: Night,
  known: readonly MediaRow[],
  placed: ReadonlyMap<string, string>,
): readonly MediaRow[] {
  const rows = (night.media ?? []).map((bytes): MediaRow => placeOf(mediumPath(bytes), bytes, known, placed));
  return [...new Map(rows.map((row) => [row.sha256, row])).values()].toSorted(by(({ sha256 }) => sha256));
}

function placeOf(
  path: string,
  bytes: Buffer,
  known: readonly (ItemRow | MediaRow)[],
  placed: ReadonlyMap<string, string>,
): Place {
  const sha256 = sha256Of(bytes);
  const old = known.find((row) => "sha256" in row && row.sha256 === sha256 && row.path === path);
  const file = old !== undefined && "archive" in old ? old.archive : placed.get(path);
  if (file === undefined) throw new Error(`${path} was not placed`);
  return { sha256, size: bytes.length, archive: file, path };
}

export function by<T>(keyOf: (value: T) => string): (one: T, other: T) => number {
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0);
}
