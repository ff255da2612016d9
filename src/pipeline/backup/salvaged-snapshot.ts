import { createHash } from "node:crypto";
import {
  type ItemRow,
  itemRowSchema,
  type Manifest,
  type MediaRow,
  mediaRowSchema,
  type SnapshotId,
  type SnapshotIndex,
} from "../../archive/repository/format.js";
import { startOf } from "../../archive/repository/names.js";
import { isDamage, withoutAdvice } from "../../archive/repository/read/damage.js";
import type { OpenRepository } from "../../archive/repository/read/open-repository.js";
import { remainingRows } from "../../archive/repository/read/remaining-rows.js";
import type { SalvagedArchive } from "../../archive/repository/read/salvage.js";
import { ITEMS, MEDIA } from "../../archive/repository/read/snapshot-reader.js";
import type { Repository } from "../../archive/repository/repository.js";
import { type Item, itemSchema } from "../../model/item.js";
import type { Key } from "../../model/key.js";
import type { SiteIdentity } from "../../model/site.js";
import { describe } from "../../workspace/item-index.js";

/** A damaged snapshot as far as it is known, and where that comes from. */
export interface SalvagedSnapshot {
  /** The repository, with what is left of the snapshot in its place. */
  readonly repository: Repository;
  readonly reason: string;
  /** Rows of items: as they were written, made again from items in its archives, and taken from snapshots beside it. */
  readonly rows: { readonly own: number; readonly remade: number; readonly beside: number };
  /** Items that it had, by its index, and of which nothing tells any more. */
  readonly lost: number;
}

/**
 * Looks whether a snapshot's manifest and rows can be read to their end. undefined: they can. Else it puts together what is left: rows with their own
 * checksum, items and media that lie in its archives, and for the rest the rows of the snapshots before and behind it. `site`: whose it is, where no
 * manifest can be read. Holds all rows in memory. Throws the damage where nothing of the snapshot's own is left, UsageError for the lack of a key.
 */
export async function salvageSnapshot(
  repository: OpenRepository,
  index: SnapshotIndex,
  site: SiteIdentity | undefined,
): Promise<SalvagedSnapshot | undefined> {
  const { snapshot } = index;
  const damage = await damageOf(repository, snapshot);
  if (damage === undefined) return undefined;
  const rows = await gather(repository, index);
  const known = await knownManifest(repository, snapshot);
  const identity = known?.site ?? site;
  if (!rows.hasOwn || identity === undefined) throw damage;
  const present = [...rows.items.values()].filter(({ state }) => state === "present").length;
  const manifest = manifestOf(index, rows, known, identity);
  const { own, remade } = rows;
  return {
    repository: inPlaceOf(repository, snapshot, manifest, rows),
    reason: withoutAdvice(damage),
    rows: { own, remade, beside: Math.max(0, rows.items.size - own - remade) },
    lost: Math.max(0, index.counts.present - present),
  };
}

async function damageOf(repository: OpenRepository, snapshot: SnapshotId): Promise<Error | undefined> {
  try {
    for await (const _row of repository.items(snapshot));
    for await (const _row of repository.media(snapshot));
    return undefined;
  } catch (error) {
    if (isDamage(error)) return error;
    throw error;
  }
}

interface Rows {
  readonly items: Map<Key, ItemRow>;
  readonly media: Map<string, MediaRow>;
}

interface Gathered extends Rows {
  /** Does anything of the snapshot itself tell of it? */
  hasOwn: boolean;
  /** Of items. */
  own: number;
  remade: number;
}

/** The later step wins: what is beside is only what else is not known, and a row without a checksum less than the item itself. */
async function gather(repository: OpenRepository, index: SnapshotIndex): Promise<Gathered> {
  const rows: Gathered = { ...(await rowsBeside(repository, index)), hasOwn: false, own: 0, remade: 0 };
  const own = await ownRows(repository, index);
  const named = new Set<string>();
  for (const { rows: proven, isProven } of [own.items, own.media])
    for (const row of proven) if (isProven && "path" in row) named.add(`${row.archive}\0${row.path}`);
  const brought = new Set(index.archives.map(({ name }) => name));
  if (!own.items.isProven) rows.own += takeUnproven(rows.items, own.items.rows, ({ key }) => key, brought);
  if (!own.media.isProven) takeUnproven(rows.media, own.media.rows, ({ sha256 }) => sha256, brought);
  for (const { name: archive } of index.archives) {
    const remains = await remainsOf(repository, archive);
    for (const path of remains?.paths() ?? []) {
      if (remains === undefined || named.has(`${archive}\0${path}`)) continue;
      rows.remade += await remake(rows, index, { remains, archive, path });
    }
  }
  if (own.items.isProven) for (const row of own.items.rows) rows.items.set(row.key, row);
  if (own.media.isProven) for (const row of own.media.rows) rows.media.set(row.sha256, row);
  if (own.items.isProven) rows.own = own.items.rows.length;
  rows.hasOwn = own.items.rows.length + rows.remade > 0;
  return rows;
}

/** A row that has no checksum is not believed where a snapshot beside knows better: of bytes that this one did not bring itself. Returns how many are taken. */
function takeUnproven<Row extends ItemRow | MediaRow>(
  known: Map<string, Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  brought: ReadonlySet<string>,
): number {
  let taken = 0;
  for (const row of rows) {
    if (known.has(keyOf(row)) && "archive" in row && !brought.has(row.archive)) continue;
    known.set(keyOf(row), row);
    taken += 1;
  }
  return taken;
}

/** What is left of the archive; undefined: nothing, or it is not there. */
async function remainsOf({ pool }: OpenRepository, archive: string): Promise<SalvagedArchive | undefined> {
  return unlessDamaged(() => pool.remains(archive));
}

async function ownRows(repository: OpenRepository, { archives }: SnapshotIndex) {
  const remains = await remainsOf(repository, archives.at(-1)?.name ?? "");
  if (remains === undefined) return { items: NONE, media: NONE };
  return {
    items: await remainingRows(remains, ITEMS, itemRowSchema),
    media: await remainingRows(remains, MEDIA, mediaRowSchema),
  };
}

const NONE = { rows: [], isProven: false };

interface Entry {
  readonly remains: SalvagedArchive;
  readonly archive: string;
  readonly path: string;
}

/** Makes the row of what lies in the archive again, if it is whole. Returns how many rows of items that are. */
async function remake({ items, media }: Rows, index: SnapshotIndex, { remains, archive, path }: Entry): Promise<0 | 1> {
  const medium = /^media\/[0-9a-f]{2}\/([0-9a-f]{64})\.\w+$/.exec(path)?.[1];
  if (medium === undefined && !path.startsWith("items/")) return 0;
  const hash = createHash("sha256");
  const held: Buffer[] = [];
  let size = 0;
  const isWhole = await unlessDamaged(async () => {
    for await (const piece of remains.content(path)) {
      hash.update(piece);
      size += piece.length;
      if (medium === undefined) held.push(Buffer.from(piece));
    }
    return true;
  });
  const place = { sha256: hash.digest("hex"), size, archive, path };
  if (isWhole !== true) return 0;
  if (medium !== undefined) {
    if (medium === place.sha256) media.set(medium, place);
    return 0;
  }
  const item = itemIn(Buffer.concat(held));
  if (item === undefined) return 0;
  const { title, category, modified } = describe(item);
  const { key, kind, revision } = item;
  const parent = item.kind === "category" ? item.body.parent : category;
  const read = Math.floor(startOf(index).getTime() / 1000);
  items.set(key, { key, kind, state: "present", revision, title, category: parent, modified, read, ...place });
  return 1;
}

function itemIn(bytes: Buffer): Item | undefined {
  try {
    const item = itemSchema.safeParse(JSON.parse(bytes.toString("utf8")));
    return item.success ? item.data : undefined;
  } catch {
    // No item: whatever else lies there has no row.
    return undefined;
  }
}

/** What the snapshots before and behind say of this one. */
async function rowsBeside(repository: OpenRepository, { snapshot }: SnapshotIndex): Promise<Rows> {
  const all = repository.snapshots();
  const at = all.findIndex((index) => index.snapshot === snapshot);
  const rows: Rows = { items: new Map(), media: new Map() };
  const [before, behind] = [all[at - 1], all[at + 1]];
  if (before !== undefined) await takeBefore(rows, repository, before);
  if (behind !== undefined) await takeBehind(rows, repository, behind);
  return rows;
}

async function takeBefore({ items, media }: Rows, repository: OpenRepository, before: SnapshotIndex): Promise<void> {
  const isDamaged = (await damageOf(repository, before.snapshot)) !== undefined;
  const rows = isDamaged ? await gather(repository, before) : undefined;
  for await (const row of rows?.items.values() ?? repository.items(before.snapshot)) items.set(row.key, row);
  for await (const row of rows?.media.values() ?? repository.media(before.snapshot)) media.set(row.sha256, row);
}

/** Bytes that the next snapshot did not bring were in this one; what it was the first to miss was in it too. */
async function takeBehind({ items, media }: Rows, repository: OpenRepository, behind: SnapshotIndex): Promise<void> {
  if ((await damageOf(repository, behind.snapshot)) !== undefined) return;
  const brought = new Set(behind.archives.map(({ name }) => name));
  for await (const row of repository.items(behind.snapshot)) {
    const isOlder = row.state === "present" ? !brought.has(row.archive) : row.deleted !== behind.snapshot;
    if (isOlder) items.set(row.key, row);
  }
  for await (const row of repository.media(behind.snapshot)) if (!brought.has(row.archive)) media.set(row.sha256, row);
}

/** Its own, else that of the youngest snapshot that can be read. */
async function knownManifest(repository: OpenRepository, snapshot: SnapshotId): Promise<Manifest | undefined> {
  const others = repository
    .snapshots()
    .map((index) => index.snapshot)
    .toReversed();
  for (const id of [snapshot, ...others]) {
    const manifest = await unlessDamaged(() => repository.manifest(id));
    if (manifest !== undefined) return manifest;
  }
  return undefined;
}

function manifestOf(
  index: SnapshotIndex,
  { items, media }: Rows,
  known: Manifest | undefined,
  site: SiteIdentity,
): Manifest {
  const { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts } = index;
  const none = { failures: [], privateIncluded: "yes", personalData: [], archives: [] } as const;
  const unproven = "0".repeat(64);
  return {
    ...none,
    ...known,
    ...{ format, madeBy, name, snapshot, kind: kind === "full" ? "full" : "incremental", previous, started, finished },
    complete,
    counts,
    site: { ...site, hosts: [...site.hosts], languages: [...site.languages] },
    failures: known?.snapshot === snapshot ? known.failures : [],
    personalData: [...(known?.personalData ?? [])],
    archives: [...(known?.archives ?? [])],
    items: { count: items.size, sha256: unproven },
    media: { count: media.size, sha256: unproven },
  };
}

function inPlaceOf(
  repository: OpenRepository,
  snapshot: SnapshotId,
  manifest: Manifest,
  { items, media }: Rows,
): Repository {
  const [itemRows, mediaRows] = [inOrder(items), inOrder(media)];
  return {
    ...repository,
    manifest: async (id) => (id === snapshot ? manifest : repository.manifest(id)),
    items: (id) => (id === snapshot ? each(itemRows) : repository.items(id)),
    media: (id) => (id === snapshot ? each(mediaRows) : repository.media(id)),
    item: async (id, key) => (id === snapshot ? items.get(key) : repository.item(id, key)),
    medium: async (id, sha256) => (id === snapshot ? media.get(sha256) : repository.medium(id, sha256)),
  };
}

function inOrder<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
