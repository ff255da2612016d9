import { type Answer, isAnswer, listAt, textAt } from "../site/answer.js";
import type { DocumentRecord, EmbedRecord, ImageRecord, VideoRecord } from "../site/records.js";
import type { Site } from "../site/site.js";

/** The renditions of a new image (facts, 3.5); `huge` only if the original is large enough. */
export const SIZES: readonly string[] = [
  "mini",
  "thumbnail",
  "140x105",
  "200x150",
  "standard",
  "440x330",
  "medium",
  "large",
];

/** An image object, every address at this site's media origin; null: no such image. */
export function imageView(site: Site, id: number | null): Answer | null {
  const image = id === null ? undefined : site.media.images.get(id);
  return image === undefined ? null : imageObject(site, image);
}

function imageObject(site: Site, image: ImageRecord): Answer {
  const address = `${site.mediaOrigin}/media/${image.guid}`;
  const sizes = image.sizes.map((size) => [size, `${address}.${size}`]);
  return { id: image.id, guid: image.guid, ...Object.fromEntries(sizes), original: address + image.originalSuffix };
}

/** The answer of `GET /media/images/{id}` (facts, 5.1). */
export function imageDetail(site: Site, image: ImageRecord): Answer {
  return {
    ...image.loaded,
    image: imageObject(site, image),
    srcid: image.srcid,
    width: image.width,
    height: image.height,
    ratio: ratioOf(image.width, image.height),
    markup: image.markup,
    exif: image.loaded["exif"] ?? { FileName: image.filename, FileDateTime: image.date },
  };
}

/** The service's name for a shape of images. */
export function ratioOf(width: number, height: number): string {
  if (width === height) return "ONE_ONE";
  return Math.abs(width / height - 4 / 3) < 0.01 ? "FOUR_THREE" : "VARIABLE";
}

/** The address of a rendition in an image's object; of the original if the size is missing. */
export function addressOf(site: Site, id: number | null, size: string): string | null {
  const view = imageView(site, id);
  return view === null ? null : textAt(view, size, textAt(view, "original"));
}

/** As in steps and `GET /media/videos/{id}` (facts, 3.5); no encodings until it is ready. */
export function videoView(site: Site, video: VideoRecord): Answer {
  const ready = video.pollsLeft === 0;
  const poster = video.image === null ? undefined : site.media.images.get(video.image);
  return {
    srcid: null,
    duration: 1000,
    ...video.loaded,
    videoid: video.id,
    objectid: video.id,
    filename: video.filename,
    width: video.width,
    height: video.height,
    image: poster === undefined ? null : imageDetail(site, poster),
    encodings: ready ? encodingsOf(site, video) : [],
    meta: video.loaded["meta"] ?? metaOf(video, ready),
  };
}

function encodingsOf(site: Site, video: VideoRecord): readonly Answer[] {
  const loaded = listAt(video.loaded, "encodings").filter(isAnswer);
  if (loaded.length > 0) return loaded;
  return [
    {
      column: "MP4_720",
      label: `${video.height}p`,
      format: "mp4",
      mime: "video/mp4",
      codecs: "avc1.4D401E, mp4a.40.2",
      width: video.width,
      height: video.height,
      url: `${site.mediaOrigin}/media/${video.guid}_MP4_720.mp4`,
      always_generate: true,
    },
  ];
}

function metaOf(video: VideoRecord, ready: boolean): Answer {
  return {
    id: video.id,
    state: ready ? "finished" : "processing",
    width: video.width,
    height: video.height,
    duration_in_ms: 1000,
    channels: "2",
    md5_checksum: null,
  };
}

/** A document of a guide or wiki (facts, 3.6). */
function documentView(site: Site, document: DocumentRecord): Answer {
  return {
    icon: document.extension === "pdf" ? "file-pdf-o" : "file-o",
    ...document.loaded,
    documentid: document.id,
    text: document.filename,
    url: `/Document/${document.guid}/${encodeURIComponent(document.filename)}`,
    download_url: downloadAddress(site, document),
    extension: document.extension,
  };
}

/** The answer of `GET /media/documents/{id}` (facts, 5.1). `size` in bytes. */
export function documentDetail(site: Site, document: DocumentRecord, size: number): Answer {
  const placeholder = `${site.mediaOrigin}/static/document`;
  return {
    title: document.filename,
    thumbnailid: null,
    imageid: null,
    summary: "",
    pages: null,
    standard: `${placeholder}.standard`,
    thumbnail: `${placeholder}.thumbnail`,
    mini: `${placeholder}.mini`,
    ...document.loaded,
    documentid: document.id,
    guid: document.guid,
    filename: document.filename,
    size,
    document_type: document.extension.toUpperCase(),
    document_extension: document.extension,
    document_group: document.extension === "pdf" ? "pdf" : "3d_model",
    edit_url: `/Document/edit/${document.id}`,
    view_url: `/Document/${document.guid}/${encodeURIComponent(document.filename)}`,
    download_url: downloadAddress(site, document),
    date: document.date,
    type: "Document",
  };
}

export function documentViews(site: Site, ids: readonly number[]): readonly Answer[] {
  return ids
    .map((id) => site.media.documents.get(id))
    .filter((document) => document !== undefined)
    .map((document) => documentView(site, document));
}

function downloadAddress(site: Site, document: DocumentRecord): string {
  return `${site.mediaOrigin}/media/${document.guid}.${document.extension}`;
}

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
