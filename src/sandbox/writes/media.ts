import { type ScratchFolder, scratchFolder } from "../../core/util/files.js";
import type { ImageRecord, UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { SIZES } from "../views/media.js";

/** A temporary folder for uploads, created on first use. */
export interface UploadFolder {
  /** Rejects after its removal: an upload may be active when its site closes. */
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

/** Content accepts a medium only if it exists and is in the caller's media manager. */
export function mayAttach(
  medium: { readonly owner: number | null; readonly inManager: boolean; readonly reencoded?: boolean } | undefined,
  caller: UserRecord,
): boolean {
  if (medium === undefined || medium.owner !== caller.userid) return false;
  return medium.inManager || medium.reencoded === true;
}

/**
 * The stored id of an attached image. A re-encoding site makes one copy of an upload, with the
 * upload in `srcid`, and uses the same copy every time (facts, 4.5).
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
