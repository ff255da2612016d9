import { createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { imageSize } from "image-size";
import { messageOf } from "../../core/errors.js";
import { contentLength, extensionOf, mp4Size } from "../media-bytes.js";
import { badRequest, forbidden, invalidValue, maySee, missingField, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  NO_CONTENT,
  ok,
  ordered,
  paged,
  type Reply,
  type Route,
  route,
  wholeNumber,
} from "../server/route.js";
import type { Answer } from "../site/answer.js";
import type { DocumentRecord, ImageRecord, StepMedia, UserRecord, VideoRecord } from "../site/records.js";
import { IMAGE_EXTENSIONS, VIDEO_EXTENSIONS } from "../site/settings.js";
import type { Site } from "../site/site.js";
import {
  type AnyMedium,
  documentDetail,
  imageDetail,
  MEDIA_TYPES,
  mediaItem,
  ratioOf,
  SIZES,
  videoView,
} from "../views/media.js";

/** Reads of media by id or guid (facts, 5.1). */
const MEDIA: readonly Route[] = [
  route("anyone", "GET /media/images/:id", readImage),
  route("anyone", "GET /media/videos/:id", readVideo),
  route("anyone", "GET /media/documents/:id", readDocument),
  route("anyone", "GET /documents/:id", readDocument),
];

/** An image outside the content that the caller can see gives 403 (facts, 5.1). */
function readImage(call: Call): Reply {
  const image = byIdOrGuid(call, call.site.media.images);
  if (!maySeeImage(call, image)) throw forbidden("The image is in no content that you may see.");
  return ok(imageDetail(call.site, image));
}

function maySeeImage({ site, caller }: Call, image: ImageRecord): boolean {
  if (caller?.admin === true || (caller !== undefined && image.owner === caller.userid)) return true;
  const guides = [...site.guides.values()].filter((guide) => !guide.deleted && maySee(guide, caller));
  const inText = new RegExp(`\\[image\\|${image.id}\\b`);
  return (
    guides.some((guide) => guide.image === image.id || guide.steps.some((step) => shows(step.media, image.id))) ||
    [...site.wikis.values()].some((wiki) => wiki.image === image.id || inText.test(wiki.contents)) ||
    guides.some((guide) => inText.test(guide.introduction + guide.conclusion))
  );
}

function shows(media: StepMedia, id: number): boolean {
  return media.type === "image" && media.ids.includes(id);
}

function readVideo(call: Call): Reply {
  return ok(videoView(call.site, byIdOrGuid(call, call.site.media.videos)));
}

/** A document outside all content is for admins only, not for its uploader (facts, 5.1). */
function readDocument(call: Call): Reply {
  const document = byIdOrGuid(call, call.site.media.documents);
  if (call.caller?.admin !== true && !isAttached(call, document)) throw forbidden("The document is in no content.");
  return ok(documentDetail(call.site, document, contentLength(document)));
}

/** A short number is an id, everything else a guid (facts, 5.1). */
function byIdOrGuid<Medium extends { readonly guid: string }>(call: Call, table: ReadonlyMap<number, Medium>): Medium {
  const wanted = call.parameter("id");
  const medium = /^\d{1,15}$/.test(wanted)
    ? table.get(Number(wanted))
    : [...table.values()].find((one) => one.guid === wanted);
  if (medium === undefined) throw notFound("Media not found.");
  return medium;
}

function isAttached({ site }: Call, document: DocumentRecord): boolean {
  const holders = [...site.guides.values(), ...site.wikis.values()];
  return holders.some((holder) => holder.documents.includes(document.id));
}

const MOST_DELETED = 1000;
const RATIOS = ["ONE_ONE", "FOUR_THREE", "VARIABLE"];

/** The caller's media manager (facts, 5.1 to 5.3). */
const USER_MEDIA: readonly Route[] = [
  route("account", "GET /user/media/images", listImages),
  route("account", "POST /user/media/images", uploadImage, { takesBytes: true }),
  route("account", "GET /user/media/videos", listVideos),
  route("account", "GET /user/media/embeds", listEmbeds),
  route("account", "GET /user/media/current", listCurrent, { served: "not-ifixit" }),
  route("account", "GET /user/media/constraints", ({ site }) => ok(uploadConstraints(site)), { served: "not-ifixit" }),
  route("account", "POST /user/media/uploads", uploadAny, { served: "not-ifixit", takesBytes: true }),
  route("account", "POST /user/media/images/:id", copy),
  route("account", "DELETE /user/media/images", (call) => removeImages(call, call.query.get("imageids") ?? "")),
  route("account", "DELETE /user/media/images/:ids{[0-9,]+}", (call) => removeImages(call, call.parameter("ids"))),
  route("account", "GET /user/media/:type/:id", readItem),
  route("account", "DELETE /user/media/:type/:id", removeItem, { served: "not-ifixit" }),
];

async function listImages(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  const ratio = call.query.get("ratio") ?? "ALL";
  if (ratio !== "ALL" && !RATIOS.includes(ratio))
    throw invalidValue("ratio", `ratio must be ALL or ${RATIOS.join(", ")}`);
  const [minWidth, minHeight] = [wholeNumber(call.query, "minWidth") ?? 0, wholeNumber(call.query, "minHeight") ?? 0];
  const images = own(call, call.site.media.images)
    .filter((image) => ratio === "ALL" || ratioOf(image.width, image.height) === ratio)
    .filter((image) => image.width >= minWidth && image.height >= minHeight);
  return ok(paged(images, call.query).map((image) => imageDetail(call.site, image)));
}

async function listVideos(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  const videos = paged(ordered(own(call, call.site.media.videos), call.query), call.query);
  return ok(videos.map((video) => videoView(call.site, video)));
}

async function listEmbeds(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  return ok(paged(own(call, call.site.media.embeds), call.query).map(({ loaded }) => loaded));
}

async function listCurrent(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  const items = Object.entries(MEDIA_TYPES).flatMap(([type, table]) =>
    own<AnyMedium>(call, table(call.site)).map((medium) => mediaItem(call.site, type, medium)),
  );
  return ok(paged(items, call.query));
}

async function uploadImage(call: AccountCall): Promise<Reply> {
  const ratio = call.query.get("cropToRatio");
  if (ratio !== null && !RATIOS.includes(ratio))
    throw invalidValue("cropToRatio", `cropToRatio must be ${RATIOS.join(" or ")}`);
  const upload = await receiveUpload(call.site, call.query.get("file"), call.stream, true);
  return ok(imageDetail(call.site, addImage(call.site, upload, call.caller)));
}

/** Any kind of file; the flat answer has the `id` of image, document or video (facts, 5.2). */
async function uploadAny(call: AccountCall): Promise<Reply> {
  const upload = await receiveUpload(call.site, call.query.get("file"), call.stream, false);
  const add = { image: addImage, video: addVideo, document: addDocument }[upload.kind];
  const type = { image: "GuideImage", video: "GuideVideoObject", document: "Document" }[upload.kind];
  const medium = add(call.site, upload, call.caller);
  return ok({ id: medium.id, ...mediaItem(call.site, type, medium) });
}

function copy(call: AccountCall): Reply {
  const image = byIdOrGuid(call, call.site.media.images);
  return ok(imageDetail(call.site, copyImage(call.site, image, call.caller)));
}

/** Removes only the entry in the media manager; a missing one is no error (facts, 5.3). */
function removeImages(call: AccountCall, list: string): Reply {
  if (!/^\d+(,\d+)*$/.test(list)) throw missingField("imageids");
  const ids = list.split(",").map(Number);
  if (ids.length > MOST_DELETED) throw invalidValue("imageids", `at most ${MOST_DELETED} images at once`);
  for (const id of ids) leaveManager(call, call.site.media.images, id);
  return NO_CONTENT;
}

/** Each request for a pending video brings it one step further. */
function readItem(call: AccountCall): Reply {
  const { type, table } = tableOf(call);
  const medium = table.get(Number(call.parameter("id")));
  if (medium === undefined || medium.owner !== call.caller.userid) throw notFound("Media item not found.");
  const isReady = !("pollsLeft" in medium) || medium.pollsLeft === 0;
  if (!isReady) call.site.media.videos.set(medium.id, { ...medium, pollsLeft: medium.pollsLeft - 1 });
  return ok({ id: medium.id, ...mediaItem(call.site, type, medium), isReady });
}

function removeItem(call: AccountCall): Reply {
  leaveManager(call, tableOf(call).table as Map<number, AnyMedium>, Number(call.parameter("id")));
  return NO_CONTENT;
}

function tableOf(call: AccountCall) {
  const type = call.parameter("type");
  const table = MEDIA_TYPES[type];
  if (table === undefined) throw badRequest("Invalid type provided in the route.");
  return { type, table: table(call.site) };
}

function own<Medium extends { readonly owner: number | null; readonly inManager: boolean }>(
  call: AccountCall,
  table: ReadonlyMap<number, Medium>,
): readonly Medium[] {
  return [...table.values()].filter((medium) => medium.owner === call.caller.userid && medium.inManager);
}

function leaveManager<Medium extends { readonly owner: number | null }>(
  call: AccountCall,
  table: Map<number, Medium>,
  id: number,
): void {
  const medium = table.get(id);
  if (medium !== undefined && medium.owner === call.caller.userid) table.set(id, { ...medium, inManager: false });
}

function addImage(site: Site, upload: Upload, caller: UserRecord): ImageRecord {
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

/** A new video, which is ready after `videoPolls` requests, with its own picture as poster. */
function addVideo(site: Site, upload: Upload, caller: UserRecord): VideoRecord {
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

function addDocument(site: Site, upload: Upload, caller: UserRecord): DocumentRecord {
  const document: DocumentRecord = {
    id: site.next("document"),
    ...medium(site, upload, caller),
    extension: extensionOf(upload.filename),
  };
  site.media.documents.set(document.id, document);
  return document;
}

/** A copy in the caller's media manager (facts, 5.3); of the caller's own, the image itself. */
function copyImage(site: Site, image: ImageRecord, caller: UserRecord): ImageRecord {
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

/** The limits of uploads in `GET /user/media/constraints` (facts, 12: format unknown). */
function uploadConstraints(site: Site): Answer {
  return {
    extensions: site.settings.extensions,
    maxBytes: MOST_BYTES,
    image: { minWidth: LEAST_SIDE, minHeight: LEAST_SIDE },
    video: { minWidth: LEAST_VIDEO.width, minHeight: LEAST_VIDEO.height },
  };
}

interface Upload {
  readonly filename: string;
  readonly extension: string;
  readonly kind: "image" | "video" | "document";
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Stores an upload in the upload folder. Throws 422: no name, an extension that the site does not
 * allow, no bytes or too many, a file that is not an image, an image under 50 x 50, a video under
 * 480 x 360. A refused file is not kept.
 */
async function receiveUpload(
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

/** Stops writing above the limit, but reads on, so that the sender gets its answer. */
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
    // Orientations from 5 on turn the picture by a quarter.
    return orientation < 5 ? { width, height } : { width: height, height: width };
  } catch (error) {
    // image-size throws for every unknown format: that is a wrong upload.
    throw invalidValue("file", `the file is no image: ${messageOf(error)}`);
  }
}

export const MEDIA_ROUTES: readonly Route[] = [...MEDIA, ...USER_MEDIA];
