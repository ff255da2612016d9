import type { Answer } from "../state/answer.js";
import type { DocumentRecord, EmbedRecord, ImageRecord, VideoRecord } from "../state/media.js";
import type { Site } from "../state/site.js";
import { imageView, ratioOf } from "./image-view.js";

export type AnyMedium = ImageRecord | VideoRecord | DocumentRecord | EmbedRecord;

/** The media types of a path and their tables (facts, 5.1). */
export const MEDIA_TYPES: Readonly<Record<string, (site: Site) => ReadonlyMap<number, AnyMedium>>> = {
  GuideImage: (site) => site.media.images,
  GuideVideoObject: (site) => site.media.videos,
  Document: (site) => site.media.documents,
  GuideEmbedObject: (site) => site.media.embeds,
};

const ID_FIELDS: Readonly<Record<string, string>> = {
  GuideImage: "imageid",
  GuideVideoObject: "objectid",
  GuideEmbedObject: "objectid",
  Document: "documentid",
};

/** A flat item of the media manager (facts, 5.1). */
export function mediaItem(site: Site, type: string, medium: AnyMedium): Answer {
  const pictureId = type === "GuideImage" ? medium.id : "image" in medium ? medium.image : null;
  const {
    mini = null,
    thumbnail = null,
    standard = null,
    medium: middle = null,
    original = null,
  } = imageView(site, pictureId) ?? {};
  const size = "width" in medium ? { width: medium.width, height: medium.height } : { width: null, height: null };
  return {
    type,
    guid: medium.guid,
    [ID_FIELDS[type] ?? "id"]: medium.id,
    srcid: "srcid" in medium ? medium.srcid : null,
    ratio: "width" in medium ? ratioOf(medium.width, medium.height) : null,
    mini,
    thumbnail,
    standard,
    medium: middle,
    original,
    ...size,
    filename: medium.filename,
    date: medium.date,
    filter_state: true,
  };
}
