import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Source } from "../../core/contracts.js";
import type { MediaItem } from "../../core/model/item.js";
import { isMediaItem } from "../../core/model/item.js";
import { ITEM_KINDS, isMediaKey, type Key, kindOf } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import { isObject } from "../../core/util/json.js";
import type { MediaRow, Place, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import { isDamage, unlessDamaged } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import { extract } from "../../sync/extract/extract.js";
import { endsRun } from "../../sync/remedies.js";
import type { Selection } from "../../sync/selection.js";
import { snapshotContents } from "../restore/snapshot-contents.js";
import type { Hit, RepositoryCheck } from "../verify/repository-check.js";

interface FetchParts {
  readonly repository: OpenRepository;
  readonly source: Source;
  /** An empty one, which holds fetched contents until they are written. */
  readonly workspace: Workspace;
  readonly control: Control;
}

/**
 * Fetches contents from the site. Extracting an unchanged item gives the same bytes as the backup;
 * media are fetched from the address that their item names. Accepts only bytes with the stored
 * sha256.
 */
export async function fetchAgain(parts: FetchParts, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const keys = new Set(
    wanted.flatMap(({ hits }) => hits.flatMap(({ kind, name }) => (kind === "media" ? [] : [name as Key]))),
  );
  if (keys.size > 0) await extractItems(parts, keys);
  const { workspace, control } = parts;
  for (const { sha256, hits, read } of wanted) {
    control.stop.throwIfAborted();
    const record = await recordOf(workspace, hits, sha256, read);
    const item = hits.find(({ kind, name }) => kind !== "media" && digestOf(workspace, name as Key) === sha256);
    if (record !== undefined) {
      found.set(sha256, async () => Readable.from([Buffer.from(record)]));
    } else if (item !== undefined) {
      found.set(sha256, async () => Readable.from([await workspace.items.file(item.name as Key)]));
    } else if (
      workspace.media.isHere(sha256) ||
      (await fetchMedium(
        parts,
        sha256,
        hits.flatMap((hit) => hit.items),
      ))
    ) {
      found.set(sha256, async () => workspace.media.open(sha256));
    }
  }
  return found;
}

async function recordOf(
  workspace: Workspace,
  hits: Wanted["hits"],
  sha256: string,
  read: readonly number[],
): Promise<string | undefined> {
  const key = hits.find(({ kind }) => kind === "record")?.name as Key | undefined;
  if (key === undefined || digestOf(workspace, key) === undefined) return undefined;
  return recordAsRead(await readFile(layoutOf(workspace.directory).item(key), "utf8"), sha256, read);
}

function digestOf({ items }: Workspace, key: Key): string | undefined {
  const entry = items.entry(key);
  return entry?.state === "present" ? entry.digest : undefined;
}

/** Also extracts items that use the media, since media have no list. */
async function extractItems(parts: FetchParts, keys: ReadonlySet<Key>): Promise<void> {
  const media = new Set([...keys].filter((key) => isMediaKey(key)));
  const users = media.size === 0 ? [] : await usersOf(parts.repository, media);
  const selection: Selection = {
    only: new Set(ITEM_KINDS),
    include: [...keys, ...users],
    exclude: [],
    since: null,
    includePrivate: true,
    dependencies: false,
  };
  const { source, workspace, control } = parts;
  await extract({ source, workspace, selection, options: {}, control });
  // An extract of chosen items reads no records, so each is read here.
  const records = [...keys].filter((key) => kindOf(key) === "record" && digestOf(workspace, key) === undefined);
  await parallel(records, control.concurrency, async (key) => {
    const record = await tried(parts, () => source.read(key, control.abort));
    if (record !== undefined) await workspace.items.put(record);
  });
}

/** Items of the last readable snapshot that use the media, one for each medium. */
async function usersOf(repository: OpenRepository, media: ReadonlySet<Key>): Promise<readonly Key[]> {
  for (const { snapshot } of repository.snapshots().toReversed()) {
    const users = await unlessDamaged(async () => {
      const direct = await usersIn(repository, snapshot, media);
      // A medium can be used by another medium, which an item uses.
      const between = new Set(direct.filter((key) => isMediaKey(key)));
      return between.size === 0 ? direct : [...direct, ...(await usersIn(repository, snapshot, between))];
    });
    if (users !== undefined) return users;
  }
  return [];
}

async function usersIn(
  repository: OpenRepository,
  snapshot: SnapshotId,
  media: ReadonlySet<Key>,
): Promise<readonly Key[]> {
  const contents = await snapshotContents(repository, snapshot);
  const open = new Set(media);
  const users: Key[] = [];
  for await (const row of contents.rows(new Set(["category", "wiki", "guide", "video", "image"]))) {
    if (open.size === 0) break;
    const item = await unlessDamaged(() => contents.item(row));
    const used = (item?.media ?? []).filter(({ key }) => open.delete(key));
    if (used.length > 0) users.push(row.key);
  }
  return users;
}

/** Tries the stored and the present address of each item with these bytes. */
async function fetchMedium(parts: FetchParts, sha256: string, items: readonly Key[]): Promise<boolean> {
  for (const key of items) {
    for (const address of [storedAddress, presentAddress]) {
      const url = await tried(parts, () => address(parts, key));
      const content = url === undefined ? undefined : await tried(parts, () => receive(parts, url));
      if (content === sha256) return true;
    }
  }
  return false;
}

/**
 * Ignores errors, since another address may work; the summary lists contents that were not found.
 */
async function tried<T>({ control }: FetchParts, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (endsRun(error, control)) throw error;
    return undefined;
  }
}

async function storedAddress({ repository }: FetchParts, key: Key): Promise<string | undefined> {
  const item = await storedMedium(repository, key);
  return item?.body.url;
}

async function presentAddress({ repository, source, control }: FetchParts, key: Key): Promise<string | undefined> {
  const stored = await storedMedium(repository, key);
  const { guid = null, fileName = null } = stored?.body ?? {};
  const item = await source.readMedia({ key, url: null, guid, fileName, path: "" }, control.abort);
  return item !== undefined && isMediaItem(item) ? item.body.url : undefined;
}

async function storedMedium(repository: OpenRepository, key: Key): Promise<MediaItem | undefined> {
  for (const { snapshot } of repository.snapshots().toReversed()) {
    const item = await unlessDamaged(async () => {
      const contents = await snapshotContents(repository, snapshot);
      const row = await contents.row(key);
      return row === undefined ? undefined : contents.item(row);
    });
    if (item !== undefined) return isMediaItem(item) ? item : undefined;
  }
  return undefined;
}

async function receive({ workspace, source, control }: FetchParts, url: string): Promise<string> {
  const { sha256 } = await workspace.media.receive((from) => source.open(url, from, control.abort), control.abort);
  return sha256;
}

/** Most seconds between the time in a record and the time in its row. */
const DELAY = 5;

/**
 * Finds the read time in a record that gives the stored sha256; undefined: the answer differs.
 *
 * @param read UNIX seconds at which the record was compared with the site
 */
function recordAsRead(text: string, sha256: string, read: readonly number[]): string | undefined {
  const item: unknown = JSON.parse(text);
  if (!isObject(item) || !isObject(item["body"])) return undefined;
  for (const time of read) {
    for (let back = 0; back <= DELAY; back += 1) {
      const body = { ...item["body"], readAt: time - back };
      const candidate = `${JSON.stringify({ ...item, body })}\n`;
      if (createHash("sha256").update(candidate).digest("hex") === sha256) return candidate;
    }
  }
  return undefined;
}

/** A damaged or missing content that no repair archive has. */
export interface Wanted {
  readonly sha256: string;
  readonly size: number;
  readonly path: string;
  /** The items with these bytes, or the medium. */
  readonly hits: readonly Hit[];
  /** Other places of the same bytes, from the rows of all snapshots. */
  readonly elsewhere: readonly Place[];
  /** UNIX seconds at which it was compared with the site, from the rows. */
  readonly read: readonly number[];
}

/** The contents to repair, each once. Reads the rows of all readable snapshots. */
export async function wantedContents(repository: OpenRepository, check: RepositoryCheck): Promise<readonly Wanted[]> {
  const hits = new Map<string, Hit[]>();
  for (const hit of check.hits) if (!hit.repaired) hits.set(hit.sha256, [...(hits.get(hit.sha256) ?? []), hit]);
  if (hits.size === 0) return [];
  const damaged = new Set(check.hits.map(nameOf));
  const places = new Map<string, Place[]>();
  const read = new Map<string, Set<number>>();
  const unreadable = new Set(check.snapshots.filter((one) => one.unreadable !== null).map(({ snapshot }) => snapshot));
  for (const { snapshot } of repository.snapshots()) {
    if (unreadable.has(snapshot)) continue;
    for await (const row of placesOf(repository, snapshot)) {
      if (!hits.has(row.sha256)) continue;
      const known = places.get(row.sha256) ?? [];
      if (known.every((place) => nameOf(place) !== nameOf(row))) known.push(placeOf(row));
      places.set(row.sha256, known);
      if ("read" in row) read.set(row.sha256, (read.get(row.sha256) ?? new Set()).add(row.read));
    }
  }
  return [...hits].flatMap(([sha256, list]) => {
    const [first] = list;
    const all = places.get(sha256) ?? [];
    const size = all[0]?.size;
    if (first === undefined || size === undefined) return [];
    const elsewhere = all.filter((place) => !damaged.has(nameOf(place)));
    return [{ sha256, size, path: first.path, hits: list, elsewhere, read: [...(read.get(sha256) ?? [])] }];
  });
}

async function* placesOf(repository: OpenRepository, snapshot: string): AsyncGenerator<PresentRow | MediaRow> {
  for await (const row of repository.items(snapshot)) if (row.state === "present") yield row;
  yield* repository.media(snapshot);
}

function placeOf({ sha256, size, archive, path }: Place): Place {
  return { sha256, size, archive, path };
}

function nameOf({ archive, path }: Pick<Place, "archive" | "path">): string {
  return `${archive}\0${path}`;
}

export type Found = () => Promise<Readable>;

/** The same bytes in another archive, read and checked; undefined: none. */
export async function salvage(repository: OpenRepository, { elsewhere }: Wanted): Promise<Found | undefined> {
  for (const place of elsewhere) if (await isWhole(repository, place)) return async () => repository.openAt(place);
  return undefined;
}

async function isWhole(repository: OpenRepository, place: Place): Promise<boolean> {
  try {
    for await (const _piece of repository.openAt(place));
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}
