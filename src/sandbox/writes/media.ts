import { createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { imageSize } from "image-size";
import { messageOf } from "../../core/errors.js";
import { type ScratchFolder, scratchFolder } from "../../core/util/files.js";
import { extensionOf, mp4Size } from "../media-bytes.js";
import { invalidValue, missingField } from "../rules.js";
import type { Answer } from "../site/answer.js";
import type { DocumentRecord, ImageRecord, UserRecord, VideoRecord } from "../site/records.js";
import { IMAGE_EXTENSIONS, VIDEO_EXTENSIONS } from "../site/settings.js";
import type { Site } from "../site/site.js";
import { SIZES } from "../views/media.js";

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

/**
 * A new video, not ready before it was asked about `videoPolls` times; its poster is a picture of
 * its own.
 */
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

/**
 * A copy of any image of the site in the caller's media manager (facts, 5.3); of an own one it is
 * the image itself.
 */
export function copyImage(site: Site, image: ImageRecord, caller: UserRecord): ImageRecord {
  if (image.owner === caller.userid && image.inManager) return image;
  const copy = {
    ...image,
    id: site.next("image"),
    guid: site.newGuid(),
    owner: caller.userid,
    inManager: true,
    reencoded: false,
    copyid: null,
    date: site.now(),
  };
  site.media.images.set(copy.id, copy);
  return copy;
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

/** 80 MB (facts, 5.2), counted in powers of two. */
const MOST_BYTES = 80 * 1024 * 1024;
const LEAST_SIDE = 50;
const LEAST_VIDEO = { width: 480, height: 360 };

/** What uploads must keep to, as `GET /user/media/constraints` tells (facts, 12: shape unknown). */
export function uploadConstraints(site: Site): Answer {
  return {
    extensions: site.settings.extensions,
    maxBytes: MOST_BYTES,
    image: { minWidth: LEAST_SIDE, minHeight: LEAST_SIDE },
    video: { minWidth: LEAST_VIDEO.width, minHeight: LEAST_VIDEO.height },
  };
}

/** Bytes that came in and passed the rules. */
interface Upload {
  readonly filename: string;
  readonly extension: string;
  readonly kind: "image" | "video" | "document";
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Takes the bytes of an upload into the upload folder. Throws 422: no name, an extension that is
 * not on the site's list, no bytes or too many, an image under 50 x 50 or that is none, a video
 * under 480 x 360. What is refused is not kept.
 */
export async function receiveUpload(
  site: Site,
  filename: string | null,
  stream: ReadableStream<Uint8Array> | null,
  imagesOnly: boolean,
): Promise<Upload> {
  if (filename === null || filename === "") throw missingField("file");
  const extension = extensionOf(filename);
  const allowed = site.settings.extensions.filter((one) => !imagesOnly || IMAGE_EXTENSIONS.includes(one));
  if (!allowed.includes(extension)) throw invalidValue("file", `files of the type «${extension}» are not allowed here`);
  const path = join(await site.uploadFolder(), `${site.newGuid()}.${extension}`);
  try {
    const length = await store(stream, path);
    if (length === 0) throw invalidValue("file", "the body is empty");
    if (length > MOST_BYTES) throw invalidValue("file", "the file is larger than 80 MB");
    return { filename, extension, path, ...(await measured(extension, path)) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Writes at most one byte more than the limit; the rest is read and dropped, so that the sender
 * gets its answer.
 */
async function store(stream: ReadableStream<Uint8Array> | null, path: string): Promise<number> {
  let length = 0;
  const limit = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const room = Math.max(0, MOST_BYTES + 1 - length);
      length += piece.length;
      done(null, piece.subarray(0, room));
    },
  });
  const source = stream === null ? Readable.from([]) : Readable.fromWeb(stream as NodeReadableStream<Uint8Array>);
  await pipeline(source, limit, createWriteStream(path));
  return length;
}

async function measured(extension: string, path: string): Promise<Pick<Upload, "kind" | "width" | "height">> {
  if (IMAGE_EXTENSIONS.includes(extension)) return { kind: "image", ...(await measuredImage(path)) };
  if (!VIDEO_EXTENSIONS.includes(extension)) return { kind: "document", width: 0, height: 0 };
  const size = mp4Size(await readFile(path)) ?? { width: 1280, height: 720 };
  if (size.width < LEAST_VIDEO.width || size.height < LEAST_VIDEO.height) {
    throw invalidValue("file", `the video is smaller than ${LEAST_VIDEO.width} x ${LEAST_VIDEO.height}`);
  }
  return { kind: "video", ...size };
}

async function measuredImage(path: string): Promise<{ readonly width: number; readonly height: number }> {
  const size = sizeOfImage(await readFile(path));
  if (size.width < LEAST_SIDE || size.height < LEAST_SIDE) {
    throw invalidValue("file", `the image is smaller than ${LEAST_SIDE} x ${LEAST_SIDE} pixels`);
  }
  return size;
}

function sizeOfImage(bytes: Buffer): { readonly width: number; readonly height: number } {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    // As it is shown: orientations from 5 on turn it by a quarter.
    return orientation < 5 ? { width, height } : { width: height, height: width };
  } catch (error) {
    // image-size throws for every format that it does not know: for a site that is a wrong upload.
    throw invalidValue("file", `the file is no image: ${messageOf(error)}`);
  }
}

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
