import type { Media, MediaUse } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { JsonCursor } from "./json-cursor.js";

/** The media of an item, each once; a use with an address replaces one without. */
export class MediaUses {
  readonly #uses = new Map<Key, MediaUse>();

  add(use: MediaUse): void {
    const known = this.#uses.get(use.key);
    if (known === undefined || (known.url === null && use.url !== null)) this.#uses.set(use.key, use);
  }

  list(): readonly MediaUse[] {
    return [...this.#uses.values()];
  }
}

/** From the best to the smallest (api-facts 3.5). */
const SIZES = ["original", "huge", "large", "medium", "440x330", "standard", "200x150", "140x105", "thumbnail", "mini"];

interface ImageObject {
  readonly id: number;
  readonly guid: string | null;
  readonly url: string | null;
}

/** undefined: none. Placeholders have negative ids (api-facts 2.3). */
export function readImageObject(place: JsonCursor): ImageObject | undefined {
  const image = place.object();
  if (image === undefined) return undefined;
  const id = image.at("id").integer();
  if (id === null) {
    image.report("image-without-id", "loss", "is an image without an id, which is left out");
    return undefined;
  }
  return id < 0 ? undefined : { id, guid: image.at("guid").textOrNull(), url: bestAddress(image) };
}

/** null: none. Adds the use under the field's name in the model. */
export function readImage(place: JsonCursor, uses: MediaUses, path: string): Key | null {
  const image = readImageObject(place);
  if (image === undefined) return null;
  const key: Key = `image/${image.id}`;
  uses.add({ key, url: image.url, guid: image.guid, fileName: null, path });
  return key;
}

function bestAddress(image: JsonCursor): string | null {
  for (const size of SIZES) {
    const address = readAddress(image.at(size));
    if (address !== null) return address;
  }
  return null;
}

/** `GET media/images/{id}` (api-facts 5.1); undefined without an address. Adds the source image. */
export function readImageDetail(detail: JsonCursor, uses: MediaUses): Media | undefined {
  const image = readImageObject(detail.at("image"));
  if (image?.url === undefined || image.url === null) return undefined;
  const source = detail.at("srcid").integer();
  const sourceImage: Key | null = source === null ? null : `image/${source}`;
  if (sourceImage !== null) uses.add({ key: sourceImage, url: null, guid: null, fileName: null, path: "sourceImage" });
  return {
    id: image.id,
    guid: image.guid,
    fileName: detail.at("exif").object()?.at("FileName").textOrNull() ?? null,
    url: image.url,
    width: detail.at("width").number(),
    height: detail.at("height").number(),
    markup: detail.at("markup").textOrNull(),
    sourceImage,
    content: null,
  };
}

/** A video (api-facts 3.5); null: none. Its address is read later: encodings come late. */
export function readVideo(place: JsonCursor, uses: MediaUses, path: string): Key | null {
  const video = place.object();
  const id = video?.at("videoid").integer() ?? null;
  if (video === undefined || id === null) return null;
  const key: Key = `video/${id}`;
  uses.add({ key, url: null, guid: null, fileName: video.at("filename").textOrNull(), path });
  return key;
}

/** undefined while it is transcoded. Adds the poster: `image` is an image's detail or null. */
export function readVideoDetail(video: JsonCursor, uses: MediaUses): Media | undefined {
  const id = video.at("videoid").integer();
  const original = originalAddress(video);
  const url = original ?? bestEncoding(video);
  if (id === null || url === null) return undefined;
  const detail = video.at("image").object();
  const poster = detail === undefined ? null : readImage(detail.at("image"), uses, "poster");
  // `meta` describes the upload: the size of an encoding is unknown.
  const size = original === null ? 0 : (video.at("meta").object()?.at("file_size_in_bytes").integer() ?? 0);
  return {
    id,
    guid: video.at("guid").textOrNull(),
    fileName: video.at("filename").textOrNull(),
    url,
    width: video.at("width").number(),
    height: video.at("height").number(),
    markup: null,
    sourceImage: null,
    ...(size > 0 ? { toldSize: size } : {}),
    ...(poster === null ? {} : { poster }),
    content: null,
  };
}

/** Not in public answers; an original is better than any encoding. */
function originalAddress(video: JsonCursor): string | null {
  return readAddress(video.at("original")) ?? readAddress(video.at("download_url"));
}

interface Encoding {
  readonly url: string;
  readonly pixels: number;
  readonly bitrate: number;
  readonly mp4: boolean;
}

/** Most pixels, then the highest bit rate, then mp4. */
function bestEncoding(video: JsonCursor): string | null {
  const encodings = video.at("encodings").items().flatMap(readEncoding);
  const [best] = encodings.toSorted(
    (a, b) => b.pixels - a.pixels || b.bitrate - a.bitrate || Number(b.mp4) - Number(a.mp4),
  );
  return best?.url ?? null;
}

function readEncoding(place: JsonCursor): readonly Encoding[] {
  const encoding = place.object();
  const url = encoding === undefined ? null : readAddress(encoding.at("url"));
  if (encoding === undefined || url === null) return [];
  const pixels = (encoding.at("width").number() ?? 0) * (encoding.at("height").number() ?? 0);
  const bitrate = encoding.at("max_video_bitrate").number() ?? 0;
  return [{ url, pixels, bitrate, mp4: encoding.at("format").textOrNull() === "mp4" }];
}

/** The keys of a guide's or wiki's documents (api-facts 3.6); adds their uses. */
export function readDocuments(list: JsonCursor, uses: MediaUses, path = "documents"): readonly Key[] {
  return list.items().flatMap((place, index) => {
    const key = readDocument(place, uses, `${path}[${index}]`);
    return key === null ? [] : [key];
  });
}

function readDocument(place: JsonCursor, uses: MediaUses, path: string): Key | null {
  const document = place.object();
  const id = document?.at("documentid").integer() ?? null;
  if (document === undefined || id === null) {
    place.report("document-without-id", "loss", "is a document without an id, which is left out");
    return null;
  }
  const key: Key = `document/${id}`;
  uses.add({ key, url: addressOf(document), guid: document.at("guid").textOrNull(), fileName: nameOf(document), path });
  return key;
}

/** The answer of `GET media/documents/{id}` (api-facts 5.1); undefined without an address. */
export function readDocumentDetail(document: JsonCursor): Media | undefined {
  const id = document.at("documentid").integer();
  const url = addressOf(document);
  if (id === null || url === null) return undefined;
  const size = document.at("size").integer() ?? 0;
  return {
    id,
    guid: document.at("guid").textOrNull(),
    fileName: nameOf(document),
    url,
    width: null,
    height: null,
    markup: null,
    sourceImage: null,
    ...(size > 0 ? { toldSize: size } : {}),
    content: null,
  };
}

/** Guides call the name `text`, details `filename`. */
function nameOf(document: JsonCursor): string | null {
  return document.at("filename").textOrNull() ?? document.at("text").textOrNull() ?? document.at("title").textOrNull();
}

/** The site's page needs a session, so the storage's address comes first. */
function addressOf(document: JsonCursor): string | null {
  return (
    readAddress(document.at("download_url")) ?? readAddress(document.at("url")) ?? readAddress(document.at("view_url"))
  );
}

/** null: none. Site-relative ones (`/Document/…`: api-facts 3.6) are completed. */
function readAddress(place: JsonCursor): string | null {
  const text = place.textOrNull();
  if (text === null || text === "") return null;
  if (URL.canParse(text)) return text;
  if (URL.canParse(text, place.reading.origin)) return new URL(text, place.reading.origin).href;
  place.report("bad-address", "loss", "is not an address; it is read as absent");
  return null;
}
