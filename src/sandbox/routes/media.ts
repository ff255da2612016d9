import { contentLength } from "../media-bytes.js";
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
import type { DocumentRecord, ImageRecord, StepMedia } from "../site/records.js";
import {
  type AnyMedium,
  documentDetail,
  imageDetail,
  MEDIA_TYPES,
  mediaItem,
  ratioOf,
  videoView,
} from "../views/media.js";
import { addDocument, addImage, addVideo, copyImage, receiveUpload, uploadConstraints } from "../writes/media.js";

/** Reading media by id or guid (facts, 5.1). */
const MEDIA: readonly Route[] = [
  route("anyone", "GET /media/images/:id", readImage),
  route("anyone", "GET /media/videos/:id", readVideo),
  route("anyone", "GET /media/documents/:id", readDocument),
  route("anyone", "GET /documents/:id", readDocument),
];

/** An image that is in no content that the caller can see gives 403 (facts, 5.1). */
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

/** A document that is in no content is for admins only, not even for its uploader (facts, 5.1). */
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

/**
 * Any kind of file; the answer is flat and carries the `id` of an image, document or video (facts,
 * 5.2).
 */
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

/** Only the entry in the media manager goes; what is not there is no error (facts, 5.3). */
function removeImages(call: AccountCall, list: string): Reply {
  if (!/^\d+(,\d+)*$/.test(list)) throw missingField("imageids");
  const ids = list.split(",").map(Number);
  if (ids.length > MOST_DELETED) throw invalidValue("imageids", `at most ${MOST_DELETED} images at once`);
  for (const id of ids) leaveManager(call, call.site.media.images, id);
  return NO_CONTENT;
}

/** Each look at a video that is not ready brings it one step nearer. */
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

export const MEDIA_ROUTES: readonly Route[] = [...MEDIA, ...USER_MEDIA];
