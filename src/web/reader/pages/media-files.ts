import type { Item } from "../../../core/model/item.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/concurrency.js";
import { type SnapshotView, unreadable } from "../library.js";
import { headOf, type MediaType, mediaTypeOf, type Shown } from "../media-type.js";
import { mediaPath } from "../page-path.js";
import { hrefAt, hrefToShared, type PageScope } from "./scope.js";

/** A file of the archive on a page. */
export interface MediaFile {
  /** Relative to the page. */
  readonly href: string;
  readonly shown: Shown;
  /** The name people gave it, else its kind and number. */
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  /** Pixels; null: not known. */
  readonly width: number | null;
  readonly height: number | null;
  /**
   * Videos: the address of the picture that stands there until it plays. Default: none is known.
   */
  readonly poster?: string;
}

/** The files that a page shows, found before it is made. */
export interface MediaFiles {
  /** undefined: its bytes are not in the archive. */
  of(key: Key): MediaFile | undefined;
  /** The address of a picture by its content; undefined: it is none. */
  picture(sha256: string | null | undefined): string | undefined;
}

interface WantedMedia {
  readonly keys?: Iterable<Key>;
  /** Contents that are shown as pictures. */
  readonly pictures?: Iterable<string | null | undefined>;
}

/** Files that are looked at at the same time. */
const WIDTH = 8;

/** Finds out what the wanted media are: their first bytes decide how they are shown. */
export async function findMedia(scope: PageScope, { keys = [], pictures = [] }: WantedMedia): Promise<MediaFiles> {
  const files = new Map<Key, MediaFile>();
  const addresses = new Map<string, string>();
  await parallel(new Set(keys), WIDTH, async (key) => {
    const file = await fileOf(scope, key);
    if (file !== undefined) files.set(key, file);
  });
  await parallel(new Set(pictures), WIDTH, async (sha256) => {
    const address = await pictureAt(scope, sha256);
    if (address !== undefined && sha256 !== null && sha256 !== undefined) addresses.set(sha256, address);
  });
  return {
    of: (key) => files.get(key),
    picture: (sha256) => (sha256 === null || sha256 === undefined ? undefined : addresses.get(sha256)),
  };
}

async function fileOf(scope: PageScope, key: Key): Promise<MediaFile | undefined> {
  const more = (await scope.catalogue.known(key))?.more;
  const facts = more?.medium;
  if (facts === null || facts === undefined) return undefined;
  const type = await mediaTypeIn(scope.shelf, facts.sha256, facts.fileName);
  if (type === undefined) return undefined;
  const { fileName, size, width, height } = facts;
  const title = fileName ?? key.replace("/", " ");
  const href = hrefToShared(scope, mediaPath(facts.sha256, type));
  const poster = type.shown === "video" ? await pictureAt(scope, more?.image) : undefined;
  return { href, shown: type.shown, title, size, width, height, ...(poster === undefined ? {} : { poster }) };
}

/** undefined: there is no such content, or it is no picture. */
async function pictureAt(scope: PageScope, sha256: string | null | undefined): Promise<string | undefined> {
  if (sha256 === null || sha256 === undefined) return undefined;
  const type = await mediaTypeIn(scope.shelf, sha256);
  return type?.shown === "image" ? hrefToShared(scope, mediaPath(sha256, type)) : undefined;
}

/** Contents that are remembered of one time: a few megabytes. */
const MOST = 20_000;

const known = new WeakMap<SnapshotView, Map<string, MediaType | undefined>>();

/**
 * What the bytes of a content are; undefined: they are not there, or can't be read. `fileName`: see
 * `mediaTypeOf`.
 */
async function mediaTypeIn(
  shelf: SnapshotView,
  sha256: string,
  fileName: string | null = null,
): Promise<MediaType | undefined> {
  const name = `${sha256} ${fileName ?? ""}`;
  const types = known.get(shelf) ?? new Map<string, MediaType | undefined>();
  known.set(shelf, types);
  if (types.has(name)) return types.get(name);
  const type = await readType(shelf, sha256, fileName);
  if (types.size >= MOST) types.clear();
  types.set(name, type);
  return type;
}

async function readType(shelf: SnapshotView, sha256: string, fileName: string | null): Promise<MediaType | undefined> {
  try {
    const medium = await shelf.medium(sha256);
    if (medium === undefined) return undefined;
    return mediaTypeOf(await headOf(medium), fileName);
  } catch (error) {
    // The page says of such a file that it is not there; `verify` says why.
    if (unreadable(error) !== undefined) return undefined;
    throw error;
  }
}

/** Files at one time, by their items, with addresses relative to the page. */
type TimeMedia = ReadonlyMap<Key, MediaFile>;

/**
 * Finds files at a time that may be another one than that of the page; what is not there is left
 * out.
 */
export async function mediaOfTime(scope: PageScope, shelf: SnapshotView, keys: Iterable<Key>): Promise<TimeMedia> {
  const found = new Map<Key, MediaFile>();
  await parallel(new Set(keys), WIDTH, async (key) => {
    const file = await fileAtTime(scope, shelf, key);
    if (file !== undefined) found.set(key, file);
  });
  return found;
}

async function fileAtTime(scope: PageScope, shelf: SnapshotView, key: Key): Promise<MediaFile | undefined> {
  const { item } = await itemOf(shelf, key);
  if (item === undefined || !("content" in item.body) || item.body.content === null) return undefined;
  const { content, fileName, width, height, poster } = item.body;
  const type = await mediaTypeIn(shelf, content.sha256, fileName);
  if (type === undefined) return undefined;
  const path = mediaPath(content.sha256, type);
  const href = scope.shared === undefined ? hrefAt(scope, shelf.facts.id, path) : hrefToShared(scope, path);
  const hasPoster = poster !== undefined && kindOf(poster) === "image" && type.shown === "video";
  const picture = hasPoster ? await fileAtTime(scope, shelf, poster) : undefined;
  return {
    href,
    shown: type.shown,
    title: fileName ?? key.replace("/", " "),
    size: content.size,
    width,
    height,
    ...(picture?.shown === "image" ? { poster: picture.href } : {}),
  };
}

/** An item, or why it can't be shown; neither: there is none. */
export interface FoundItem {
  readonly item?: Item;
  /** For people. */
  readonly damage?: string;
}

/** Reads an item. Damage is told on the page, since everything else can still be read. */
export async function itemOf(shelf: SnapshotView, key: Key): Promise<FoundItem> {
  const row = await shelf.row(key);
  if (row === undefined) return {};
  try {
    return { item: await shelf.item(row) };
  } catch (error) {
    const damage = unreadable(error);
    if (damage === undefined) throw error;
    return { damage };
  }
}
