import { createHash } from "node:crypto";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { FerryError } from "../../core/errors.js";
import { keySchema, type SiteIdentity } from "../../core/model/identity.js";
import { type Item, itemSchema } from "../../core/model/item.js";
import { withCommas } from "../../core/util/printable-text.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import {
  type ItemRow,
  itemRowSchema,
  type Manifest,
  type MediaRow,
  mediaRowSchema,
  type Place,
  type SnapshotId,
  type SnapshotIndex,
  storedItemRowSchema,
} from "../../storage/repository/format.js";
import { parseArchiveName, startOf } from "../../storage/repository/names.js";
import { MOST_ITEM_BYTES } from "../../storage/repository/read/contents.js";
import { isDamage, unlessDamaged, withoutAdvice } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { SalvagedArchive } from "../../storage/repository/read/salvage.js";
import { remainingRows } from "../../storage/repository/read/salvage.js";
import { ITEMS, MEDIA } from "../../storage/repository/read/snapshot-reader.js";
import type { Repository } from "../../storage/repository/repository.js";
import { readStamp } from "../../storage/repository/write/stamp.js";
import { type ArchivedItem, openArchivedRows } from "../../storage/workspace/archived.js";
import { describe, type ItemEntry } from "../../storage/workspace/item-store.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import { readStamp as readWorkspaceStamp } from "../../storage/workspace/stamp.js";
import { type Origin, SalvagedRows } from "./salvaged-rows.js";

/** The salvaged parts of a damaged snapshot. */
export interface SalvagedSnapshot extends SalvageCounts {
  /** The repository, which returns the salvaged rows for this snapshot. */
  readonly repository: Repository;
  readonly reason: string;
  /** Removes the salvaged rows; the repository stays open. */
  close(): Promise<void>;
}

export interface SalvageCounts {
  /** Item rows by source. */
  readonly rows: Readonly<Record<Origin, number>>;
  /** Items that are counted in the index and were not found. */
  readonly lost: number;
}

/** The numbers of salvaged and lost rows, in two sentences. */
export function describeSalvage({ rows, lost }: SalvageCounts): string {
  const { own, remade, workspace, beside } = rows;
  const written = `${withCommas(own)} ${own === 1 ? "row" : "rows"} as written`;
  const missing = `${withCommas(lost)} of its items ${lost === 1 ? "is" : "are"} lost.`;
  return (
    `${written}, ${remade} rebuilt from items in its archives, ${workspace} taken from the workspace of the backups, ` +
    `${beside} taken from the snapshots before and after it. ${lost === 0 ? "No row is known to be lost; `guideferry verify REPO` checks the contents of the items." : missing}`
  );
}

/** What a snapshot is salvaged from, besides the archives of the repository. */
export interface SalvageFrom {
  /** The site of the backups, where no manifest can be read. */
  readonly site: SiteIdentity | undefined;
  /** The workspace of the backups; undefined: unknown. */
  readonly workspace?: string | undefined;
}

export async function salvageSources(storage: RepositoryStorage): Promise<SalvageFrom> {
  const workspace = storage.folder === null ? undefined : join(storage.folder, "workspace");
  return { site: await siteOfRepository(storage, workspace), workspace };
}

/** The site of the backups, from their workspace or `repository.json`. */
async function siteOfRepository(
  storage: RepositoryStorage,
  workspace: string | undefined,
): Promise<SiteIdentity | undefined> {
  for (const read of [() => siteOfWorkspace(workspace), () => siteOfStamp(storage)]) {
    const site = await read().catch((error: unknown) => {
      if (error instanceof FerryError) return undefined;
      throw error;
    });
    if (site !== undefined) return site;
  }
  return undefined;
}

async function siteOfWorkspace(directory: string | undefined): Promise<SiteIdentity | undefined> {
  if (directory === undefined) return undefined;
  const { source } = await readWorkspaceStamp(layoutOf(directory));
  return source ?? undefined;
}

/** `repository.json` has only the address. The language is a guess; each guide has its own. */
async function siteOfStamp(storage: RepositoryStorage): Promise<SiteIdentity | undefined> {
  const stamp = await readStamp(storage);
  if (stamp?.site === undefined || !URL.canParse(stamp.site.root)) return undefined;
  const { root, siteId } = stamp.site;
  const { origin, hostname } = new URL(root);
  const languages = { language: "en", languages: ["en"] };
  return { root, origin, siteId, name: stamp.name, dialect: "unknown", hosts: [hostname], ...languages, account: null };
}

/**
 * Salvages a snapshot whose rows can't be read to the end; undefined: they can. Collects rows with
 * their own checksum, items and media in its archives, the notes of the backups' workspace, and
 * else the rows of the snapshots before and after. Rows are in a temporary file until `close`.
 * Throws the damage where nothing of the snapshot itself is found, UsageError for a missing key.
 */
export async function salvageSnapshot(
  repository: OpenRepository,
  index: SnapshotIndex,
  { site, workspace }: SalvageFrom,
): Promise<SalvagedSnapshot | undefined> {
  const { snapshot } = index;
  const damage = await damageOf(repository, snapshot);
  if (damage === undefined) return undefined;
  const { rows, hasOwn } = await gather(repository, index, workspace);
  try {
    const known = await knownManifest(repository, snapshot);
    const identity = known?.site ?? site;
    if (!hasOwn || identity === undefined) throw damage;
    const { own, remade, beside, workspace: noted, present, all, media } = rows.counts();
    const manifest = manifestOf(index, { items: all, media }, known, identity);
    return {
      repository: inPlaceOf(repository, snapshot, manifest, rows),
      reason: withoutAdvice(damage),
      rows: { own, remade, beside, workspace: noted },
      lost: Math.max(0, index.counts.present - present),
      close: () => rows.close(),
    };
  } catch (error) {
    await rows.close();
    throw error;
  }
}

async function damageOf(repository: OpenRepository, snapshot: SnapshotId): Promise<Error | undefined> {
  try {
    await repository.checkRows(snapshot);
    return undefined;
  } catch (error) {
    if (isDamage(error)) return error;
    throw error;
  }
}

interface Gathered {
  readonly rows: SalvagedRows;
  readonly hasOwn: boolean;
}

/**
 * A later step overwrites an earlier one, so the order is that of trust: the base, other snapshots,
 * rows without a checksum, the workspace, items in the archives, rows with a checksum.
 */
async function gather(
  repository: OpenRepository,
  index: SnapshotIndex,
  workspace: string | undefined,
): Promise<Gathered> {
  const rows = await SalvagedRows.make();
  try {
    const main = await remainsOf(repository, index.archives.at(-1)?.name ?? "");
    const isComplete = await hasDifferences(repository, index, main);
    // With all differences, a row of the base is certain to be one of this snapshot.
    if (!isComplete) await putBase(rows, repository, index);
    await putAdjacent(rows, repository, index);
    if (isComplete) await putBase(rows, repository, index);
    const files = [main, index.whole === undefined ? undefined : await remainsOf(repository, index.whole.copy)];
    const own = main === undefined ? 0 : await putUnproven(rows, main, index);
    const isNoted = workspace !== undefined && (await putNoted(rows, repository, index, workspace));
    let proven = 0;
    for (const file of files) if (file !== undefined) proven += await notePlaces(rows, file, index);
    let remade = 0;
    for (const { name: archive } of index.archives) {
      const remains = await remainsOf(repository, archive);
      for (const path of remains?.paths() ?? [])
        if (remains !== undefined && !rows.isNamed(archive, path))
          remade += await remake(rows, index, { remains, archive, path });
    }
    for (const file of files) if (file !== undefined) await putProven(rows, file, index, "own");
    return { rows, hasOwn: own + proven + remade > 0 || isNoted || isComplete };
  } catch (error) {
    await rows.close();
    throw error;
  }
}

/**
 * Takes rows without a checksum, except for bytes in older archives where another row is known.
 * Returns the number of item rows.
 */
async function putUnproven(rows: SalvagedRows, main: SalvagedArchive, { archives }: SnapshotIndex): Promise<number> {
  const brought = new Set(archives.map(({ name }) => name));
  const isBelieved = (row: ItemRow | MediaRow, known: unknown): boolean =>
    known === undefined || !("archive" in row) || brought.has(row.archive);
  let count = 0;
  for await (const { row, isProven } of remainingRows(main, ITEMS, itemRowSchema)) {
    if (isProven) break;
    count += 1;
    if (isBelieved(row, rows.item(row.key))) rows.putItem(row, "own");
  }
  for await (const { row, isProven } of remainingRows(main, MEDIA, mediaRowSchema)) {
    if (isProven) break;
    if (isBelieved(row, rows.medium(row.sha256))) rows.putMedium(row);
  }
  return count;
}

/**
 * Notes the entries of rows with a checksum, so that these entries are not read. Returns the number
 * of item rows.
 */
async function notePlaces(rows: SalvagedRows, main: SalvagedArchive, { archives }: SnapshotIndex): Promise<number> {
  const own = new Set(archives.map(({ name }) => name));
  let count = 0;
  for await (const { row, isProven } of remainingRows(main, ITEMS, ITEM_LINE)) {
    if (!isProven) break;
    count += 1;
    if ("archive" in row && own.has(row.archive)) rows.noteNamed(row.archive, row.path);
  }
  for await (const { row, isProven } of remainingRows(main, MEDIA, MEDIUM_LINE)) {
    if (!isProven) break;
    if ("archive" in row && own.has(row.archive)) rows.noteNamed(row.archive, row.path);
  }
  return count;
}

/** Lines of whole rows or of differences. */
const ITEM_LINE = z.union([storedItemRowSchema, z.object({ key: keySchema, removed: z.literal(true) })]);
const MEDIUM_LINE = z.union([mediaRowSchema, z.object({ sha256: z.string(), removed: z.literal(true) })]);

/** Puts the rows with a checksum, and removes those that are marked as removed. */
async function putProven(
  rows: SalvagedRows,
  file: SalvagedArchive,
  index: SnapshotIndex,
  origin: Origin,
): Promise<void> {
  const read = Math.floor(startOf(index).getTime() / 1000);
  for await (const { row, isProven } of remainingRows(file, ITEMS, ITEM_LINE)) {
    if (!isProven) break;
    if ("removed" in row) rows.removeItem(row.key);
    else rows.putItem(row.state === "deleted" ? row : { ...row, read: row.read ?? read }, origin);
  }
  for await (const { row, isProven } of remainingRows(file, MEDIA, MEDIUM_LINE)) {
    if (!isProven) break;
    if ("removed" in row) rows.removeMedium(row.sha256);
    else rows.putMedium(row);
  }
}

/** Are the differences from the base complete? false: also if there is no base. */
async function hasDifferences(
  repository: OpenRepository,
  { snapshot, base }: SnapshotIndex,
  main: SalvagedArchive | undefined,
): Promise<boolean> {
  if (base === undefined || main === undefined) return false;
  const manifest = await unlessDamaged(() => repository.manifest(snapshot));
  if (manifest === undefined) return false;
  const found = { items: 0, media: 0 };
  for await (const { isProven } of remainingRows(main, ITEMS, ITEM_LINE)) if (isProven) found.items += 1;
  for await (const { isProven } of remainingRows(main, MEDIA, MEDIUM_LINE)) if (isProven) found.media += 1;
  return found.items === manifest.items.count && found.media === manifest.media.count;
}

/** The rows of the base that are left in its main archive and in their copy. */
async function putBase(rows: SalvagedRows, repository: OpenRepository, index: SnapshotIndex): Promise<void> {
  for (const archive of index.base === undefined ? [] : [index.base.archive, index.base.copy]) {
    const file = await remainsOf(repository, archive);
    if (file !== undefined) await putProven(rows, file, index, "beside");
  }
}

/**
 * Takes the notes of the workspace about archives up to this snapshot. Returns whether the
 * workspace wrote it last, so that the notes are about this snapshot.
 */
async function putNoted(
  rows: SalvagedRows,
  repository: OpenRepository,
  index: SnapshotIndex,
  directory: string,
): Promise<boolean> {
  const { snapshot, archives } = index;
  const noted = openArchivedRows(directory);
  if (noted === undefined) return false;
  try {
    const there = new Set(repository.snapshots().flatMap((index) => index.archives.map(({ name }) => name)));
    const isOlder = (archive: string): boolean =>
      there.has(archive) && (parseArchiveName(archive)?.snapshot ?? snapshot) <= snapshot;
    const own = new Set(archives.map(({ name }) => name));
    let count = 0;
    for (const { item, entry } of noted.items()) {
      if (!isOlder(item.archive)) continue;
      const row = entry === undefined ? await rowAt(repository, index, item) : rowOf(entry, item);
      if (row === undefined) continue;
      rows.putItem(row, "workspace");
      count += 1;
      if (own.has(item.archive)) rows.noteNamed(item.archive, item.path);
    }
    for (const { sha256, archive, path, size } of noted.media()) {
      if (!isOlder(archive)) continue;
      rows.putMedium({ sha256, size, archive, path });
      if (own.has(archive)) rows.noteNamed(archive, path);
    }
    for (const { key, kind, revision, title, deleted } of noted.tombstones())
      if (deleted <= snapshot) rows.putItem({ key, kind, state: "deleted", revision, title, deleted }, "workspace");
    return count > 0 && noted.snapshot === snapshot;
  } finally {
    noted.close();
  }
}

function rowOf(entry: ItemEntry, { digest: sha256, size, archive, path }: ArchivedItem): ItemRow {
  const { key, kind, revision, title, category, modified, readAt: read } = entry;
  return { key, kind, state: "present", revision, title, category, modified, read, sha256, size, archive, path };
}

/** The row of an item that changed in the workspace since, from its bytes in the archive. */
async function rowAt(
  repository: OpenRepository,
  index: SnapshotIndex,
  { digest: sha256, size, archive, path }: ArchivedItem,
): Promise<ItemRow | undefined> {
  const place = { sha256, size, archive, path };
  const bytes = size > MOST_ITEM_BYTES ? undefined : await unlessDamaged(() => buffer(repository.openAt(place)));
  const item = bytes === undefined ? undefined : itemIn(bytes);
  return item === undefined ? undefined : describedRow(item, index, place);
}

function describedRow(item: Item, index: SnapshotIndex, place: Place): ItemRow {
  const { title, category, modified } = describe(item);
  const { key, kind, revision } = item;
  const parent = item.kind === "category" ? item.body.parent : category;
  const read = Math.floor(startOf(index).getTime() / 1000);
  return { key, kind, state: "present", revision, title, category: parent, modified, read, ...place };
}

/** undefined: nothing of the archive is readable, or it is missing. */
async function remainsOf({ pool }: OpenRepository, archive: string): Promise<SalvagedArchive | undefined> {
  return unlessDamaged(() => pool.remains(archive));
}

interface Entry {
  readonly remains: SalvagedArchive;
  readonly archive: string;
  readonly path: string;
}

/** Rebuilds the row of an undamaged entry. Returns the number of item rows. */
async function remake(rows: SalvagedRows, index: SnapshotIndex, { remains, archive, path }: Entry): Promise<0 | 1> {
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
    if (medium === place.sha256) rows.putMedium(place);
    return 0;
  }
  const item = itemIn(Buffer.concat(held));
  if (item === undefined) return 0;
  rows.putItem(describedRow(item, index, place), "remade");
  return 1;
}

function itemIn(bytes: Buffer): Item | undefined {
  try {
    const item = itemSchema.safeParse(JSON.parse(bytes.toString("utf8")));
    return item.success ? item.data : undefined;
  } catch {
    return undefined;
  }
}

async function putAdjacent(rows: SalvagedRows, repository: OpenRepository, { snapshot }: SnapshotIndex): Promise<void> {
  const all = repository.snapshots();
  const at = all.findIndex((index) => index.snapshot === snapshot);
  const [before, after] = [all[at - 1], all[at + 1]];
  if (before !== undefined) await putBefore(rows, repository, all[at] ?? before, before);
  if (after !== undefined) await putAfter(rows, repository, after);
}

async function putBefore(
  rows: SalvagedRows,
  repository: OpenRepository,
  index: SnapshotIndex,
  before: SnapshotIndex,
): Promise<void> {
  if ((await damageOf(repository, before.snapshot)) === undefined) {
    for await (const row of repository.items(before.snapshot)) rows.putItem(row, "beside");
    for await (const row of repository.media(before.snapshot)) rows.putMedium(row);
    return;
  }
  if (index.base !== undefined && baseIn(before) === index.base.archive) {
    // Its base is that of this snapshot, so what is left of both is the same.
    const earlier = repository
      .snapshots()
      .findLast((one) => one.snapshot < before.snapshot && baseIn(one) !== baseIn(before));
    if (earlier !== undefined) await putBefore(rows, repository, index, earlier);
    return;
  }
  const { rows: left } = await gather(repository, before, undefined);
  try {
    for await (const row of left.items()) rows.putItem(row, "beside");
    for await (const row of left.media()) rows.putMedium(row);
  } finally {
    await left.close();
  }
}

/** The archive with the whole rows of a snapshot. */
function baseIn({ archives, base }: SnapshotIndex): string | undefined {
  return base?.archive ?? archives.at(-1)?.name;
}

/** The bytes that the next snapshot did not write, and its new tombstones, were in this one. */
async function putAfter(rows: SalvagedRows, repository: OpenRepository, after: SnapshotIndex): Promise<void> {
  if ((await damageOf(repository, after.snapshot)) !== undefined) return;
  const brought = new Set(after.archives.map(({ name }) => name));
  for await (const row of repository.items(after.snapshot)) {
    const isOlder = row.state === "present" ? !brought.has(row.archive) : row.deleted !== after.snapshot;
    if (isOlder) rows.putItem(row, "beside");
  }
  for await (const row of repository.media(after.snapshot)) if (!brought.has(row.archive)) rows.putMedium(row);
}

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
  { items, media }: { readonly items: number; readonly media: number },
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
    items: { count: items, sha256: unproven },
    media: { count: media, sha256: unproven },
  };
}

function inPlaceOf(
  repository: OpenRepository,
  snapshot: SnapshotId,
  manifest: Manifest,
  rows: SalvagedRows,
): Repository {
  const { itemsOf: _rows, keysOf: _keys, ...whole } = repository;
  return {
    ...whole,
    manifest: async (id) => (id === snapshot ? manifest : repository.manifest(id)),
    items: (id) => (id === snapshot ? rows.items() : repository.items(id)),
    media: (id) => (id === snapshot ? rows.media() : repository.media(id)),
    item: async (id, key) => (id === snapshot ? rows.item(key) : repository.item(id, key)),
    medium: async (id, sha256) => (id === snapshot ? rows.medium(sha256) : repository.medium(id, sha256)),
  };
}
