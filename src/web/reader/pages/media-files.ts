import type { Item } from "../../../core/model/item.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/concurrency.js";
import { type SnapshotView, unreadable } from "../library.js";
import { headOf, type MediaType, mediaTypeOf, type Shown } from "../media-type.js";
import { mediaPath } from "../page-path.js";
import { hrefAt, hrefToShared, type PageScope } from "./scope.js";

export interface MediaFile {
  readonly href: string;
  readonly shown: Shown;
  /** The file name, else kind and number. */
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  /** Pixels; null: unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Videos: the address of the picture before it plays. Default: none. */
  readonly poster?: string;
}

/** The files of a page, found before rendering. */
export interface MediaFiles {
  /** undefined: its bytes are not in the archive. */
  of(key: Key): MediaFile | undefined;
  /** The address of a picture by its content; undefined: no picture. */
  picture(sha256: string | null | undefined): string | undefined;
}

interface WantedMedia {
  readonly keys?: Iterable<Key>;
  readonly pictures?: Iterable<string | null | undefined>;
}

const WIDTH = 8;

/** The first bytes of media decide how they are shown. */
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
  const type = await mediaTypeIn(scope.snapshot, facts.sha256, facts.fileName);
  if (type === undefined) return undefined;
  const { fileName, size, width, height } = facts;
  const title = fileName ?? key.replace("/", " ");
  const href = hrefToShared(scope, mediaPath(facts.sha256, type));
  const poster = type.shown === "video" ? await pictureAt(scope, more?.image) : undefined;
  return { href, shown: type.shown, title, size, width, height, ...(poster === undefined ? {} : { poster }) };
}

/** undefined: no such content, or no picture. */
async function pictureAt(scope: PageScope, sha256: string | null | undefined): Promise<string | undefined> {
  if (sha256 === null || sha256 === undefined) return undefined;
  const type = await mediaTypeIn(scope.snapshot, sha256);
  return type?.shown === "image" ? hrefToShared(scope, mediaPath(sha256, type)) : undefined;
}

/** Types held for one snapshot: a few megabytes. */
const MOST = 20_000;

const known = new WeakMap<SnapshotView, Map<string, MediaType | undefined>>();

/** undefined: no such content, or unreadable. `fileName`: see `mediaTypeOf`. */
async function mediaTypeIn(
  snapshot: SnapshotView,
  sha256: string,
  fileName: string | null = null,
): Promise<MediaType | undefined> {
  const name = `${sha256} ${fileName ?? ""}`;
  const types = known.get(snapshot) ?? new Map<string, MediaType | undefined>();
  known.set(snapshot, types);
  if (types.has(name)) return types.get(name);
  const type = await readType(snapshot, sha256, fileName);
  if (types.size >= MOST) types.clear();
  types.set(name, type);
  return type;
}

async function readType(
  snapshot: SnapshotView,
  sha256: string,
  fileName: string | null,
): Promise<MediaType | undefined> {
  try {
    const medium = await snapshot.medium(sha256);
    if (medium === undefined) return undefined;
    return mediaTypeOf(await headOf(medium), fileName);
  } catch (error) {
    if (unreadable(error) !== undefined) return undefined;
    throw error;
  }
}

type SnapshotMedia = ReadonlyMap<Key, MediaFile>;

/** Finds files in any snapshot; unreadable ones are left out. */
export async function mediaOfSnapshot(
  scope: PageScope,
  snapshot: SnapshotView,
  keys: Iterable<Key>,
): Promise<SnapshotMedia> {
  const found = new Map<Key, MediaFile>();
  await parallel(new Set(keys), WIDTH, async (key) => {
    const file = await fileInSnapshot(scope, snapshot, key);
    if (file !== undefined) found.set(key, file);
  });
  return found;
}

async function fileInSnapshot(scope: PageScope, snapshot: SnapshotView, key: Key): Promise<MediaFile | undefined> {
  const { item } = await itemOf(snapshot, key);
  if (item === undefined || !("content" in item.body) || item.body.content === null) return undefined;
  const { content, fileName, width, height, poster } = item.body;
  const type = await mediaTypeIn(snapshot, content.sha256, fileName);
  if (type === undefined) return undefined;
  const path = mediaPath(content.sha256, type);
  const href = scope.shared === undefined ? hrefAt(scope, snapshot.facts.id, path) : hrefToShared(scope, path);
  const hasPoster = poster !== undefined && kindOf(poster) === "image" && type.shown === "video";
  const picture = hasPoster ? await fileInSnapshot(scope, snapshot, poster) : undefined;
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

/** `damage`: why it can't be shown. Neither: no such item. */
export interface FoundItem {
  readonly item?: Item;
  readonly damage?: string;
}

/** Returns damage, since the rest of the page can be shown. */
export async function itemOf(snapshot: SnapshotView, key: Key): Promise<FoundItem> {
  const row = await snapshot.row(key);
  if (row === undefined) return {};
  try {
    return { item: await snapshot.item(row) };
  } catch (error) {
    const damage = unreadable(error);
    if (damage === undefined) throw error;
    return { damage };
  }
}
