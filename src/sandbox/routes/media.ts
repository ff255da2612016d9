import { contentLength } from "../bytes/content-bytes.js";
import { maySee } from "../rules/rights.js";
import { type Call, ok, type Reply, type Route } from "../server/route.js";
import { forbidden, notFound } from "../server/service-error.js";
import type { StepMedia } from "../state/guide.js";
import type { DocumentRecord, ImageRecord } from "../state/media.js";
import { documentDetail } from "../views/document-view.js";
import { imageDetail } from "../views/image-view.js";
import { videoView } from "../views/video-view.js";

/** Reading media by id or guid (facts, 5.1). */
export const MEDIA: readonly Route[] = [
  { method: "GET", path: "/media/images/:id", access: "anyone", run: readImage },
  { method: "GET", path: "/media/videos/:id", access: "anyone", run: readVideo },
  { method: "GET", path: "/media/documents/:id", access: "anyone", run: readDocument },
  { method: "GET", path: "/documents/:id", access: "anyone", run: readDocument },
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
export function byIdOrGuid<Medium extends { readonly guid: string }>(
  call: Call,
  table: ReadonlyMap<number, Medium>,
): Medium {
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
