import type { Shelf } from "../library.js";
import { headOf } from "../media-head.js";
import { type MediaType, mediaTypeOf } from "../media-type.js";
import { unreadable } from "../unreadable.js";

/** Contents that are remembered of one time: a few megabytes. */
const MOST = 20_000;

const known = new WeakMap<Shelf, Map<string, MediaType | undefined>>();

/** What the bytes of a content are; undefined: they are not there, or can't be read. `fileName`: see `mediaTypeOf`. */
export async function mediaTypeIn(
  shelf: Shelf,
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

async function readType(shelf: Shelf, sha256: string, fileName: string | null): Promise<MediaType | undefined> {
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
