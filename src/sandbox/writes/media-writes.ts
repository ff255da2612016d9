import { extensionOf } from "../bytes/content-type.js";
import type { DocumentRecord, ImageRecord, VideoRecord } from "../state/media.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { SIZES } from "../views/image-view.js";
import type { Upload } from "./receive-upload.js";

/** A new image in the caller's media manager. */
export function addImage(site: Site, upload: Upload, caller: UserRecord): ImageRecord {
  const image: ImageRecord = {
    id: site.next("image"),
    ...medium(site, upload, caller),
    reencoded: false,
    copyid: null,
    sizes: upload.width >= 1600 ? [...SIZES, "huge"] : SIZES,
    originalSuffix: ".full",
    srcid: null,
    width: upload.width,
    height: upload.height,
    markup: null,
  };
  site.media.images.set(image.id, image);
  return image;
}

/** A new video, not ready before it was asked about `videoPolls` times; its poster is a picture of its own. */
export function addVideo(site: Site, upload: Upload, caller: UserRecord): VideoRecord {
  const poster = addPoster(site, upload, caller);
  const video: VideoRecord = {
    id: site.next("video"),
    ...medium(site, upload, caller),
    image: poster.id,
    width: upload.width,
    height: upload.height,
    pollsLeft: site.settings.videoPolls,
  };
  site.media.videos.set(video.id, video);
  return video;
}

/** A new document in the caller's media manager. */
export function addDocument(site: Site, upload: Upload, caller: UserRecord): DocumentRecord {
  const document: DocumentRecord = {
    id: site.next("document"),
    ...medium(site, upload, caller),
    extension: extensionOf(upload.filename),
  };
  site.media.documents.set(document.id, document);
  return document;
}

/** A copy of any image of the site in the caller's media manager (facts, 5.3); of an own one it is the image itself. */
export function copyImage(site: Site, image: ImageRecord, caller: UserRecord): ImageRecord {
  return image.owner === caller.userid && image.inManager ? image : derive(site, image, caller, {});
}

/** An image of its own with another markup; `srcid` is the untouched picture (facts, 5.4). */
export function annotateImage(site: Site, image: ImageRecord, markup: string | null, caller: UserRecord): ImageRecord {
  return derive(site, image, caller, { markup, srcid: image.srcid ?? image.id });
}

function derive(
  site: Site,
  image: ImageRecord,
  caller: UserRecord,
  changed: Partial<Pick<ImageRecord, "markup" | "srcid">>,
): ImageRecord {
  const derived = {
    ...image,
    id: site.next("image"),
    guid: site.newGuid(),
    owner: caller.userid,
    inManager: true,
    reencoded: false,
    copyid: null,
    date: site.now(),
    ...changed,
  };
  site.media.images.set(derived.id, derived);
  return derived;
}

function medium(site: Site, upload: Upload, caller: UserRecord) {
  return {
    guid: site.newGuid(),
    filename: upload.filename,
    owner: caller.userid,
    inManager: true,
    date: site.now(),
    content: { from: "file", path: upload.path },
    loaded: {},
  } as const;
}

function addPoster(site: Site, upload: Upload, caller: UserRecord): ImageRecord {
  const poster: ImageRecord = {
    ...addImage(site, { ...upload, filename: `${upload.filename}.png` }, caller),
    inManager: false,
    content: { from: "generator", make: "png", seed: `poster of ${upload.path}` },
  };
  site.media.images.set(poster.id, poster);
  return poster;
}
