import type { Key } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/parallel.js";
import type { Shown } from "../media-type.js";
import { mediaPath } from "../page-path.js";
import { mediaTypeIn } from "./media-type-in.js";
import { hrefToShared, type PageScope } from "./scope.js";

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
  /** Videos: the address of the picture that stands there until it plays. Default: none is known. */
  readonly poster?: string;
}

/** The files that a page shows, found before it is made. */
export interface MediaFiles {
  /** undefined: its bytes are not in the archive. */
  of(key: Key): MediaFile | undefined;
  /** The address of a picture by its content; undefined: it is none. */
  picture(sha256: string | null | undefined): string | undefined;
}

export interface WantedMedia {
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
