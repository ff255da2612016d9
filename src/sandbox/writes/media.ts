import { type ScratchFolder, scratchFolder } from "../../core/util/files.js";
import type { ImageRecord, UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { SIZES } from "../views/media.js";

/** A temporary folder for what is uploaded, made when it is first asked for. */
export interface UploadFolder {
  /** Rejects once it was removed: an upload may be under way when its site closes. */
  readonly path: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

export function createUploadFolder(): UploadFolder {
  let made: Promise<ScratchFolder> | undefined;
  let isRemoved = false;
  return {
    path: async () => {
      if (isRemoved) throw new Error("The sandbox is closed.");
      made ??= scratchFolder("sandbox");
      return (await made).path;
    },
    remove: async () => {
      isRemoved = true;
      await (await made)?.remove();
    },
  };
}

/**
 * May the caller put this medium into content? It must be there and stand in the caller's media
 * manager.
 */
export function mayAttach(
  medium: { readonly owner: number | null; readonly inManager: boolean; readonly reencoded?: boolean } | undefined,
  caller: UserRecord,
): boolean {
  if (medium === undefined || medium.owner !== caller.userid) return false;
  return medium.inManager || medium.reencoded === true;
}

/**
 * The id that an attached image is stored under. A re-encoding site makes one copy of an upload,
 * with `srcid` the upload, and gives the same copy every time (facts, 4.5).
 */
export function attachedImage(site: Site, id: number): number {
  const image = site.media.images.get(id);
  if (!site.settings.reencodes || image === undefined || image.reencoded || image.owner === null) return id;
  return image.copyid ?? reencoded(site, image).id;
}

function reencoded(site: Site, image: ImageRecord): ImageRecord {
  const copy = {
    ...image,
    id: site.next("image"),
    guid: site.newGuid(),
    srcid: image.id,
    inManager: false,
    reencoded: true,
    copyid: null,
    sizes: image.width >= 1600 ? [...SIZES, "huge"] : SIZES,
  };
  site.media.images.set(copy.id, copy);
  site.media.images.set(image.id, { ...image, copyid: copy.id });
  return copy;
}
