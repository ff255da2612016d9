import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { imageSize } from "image-size";
import { extensionOf } from "../media-bytes.js";
import { type Answer, isAnswer, listAt, numberAt, objectAt, textAt } from "../site/answer.js";
import type { Content, ImageRecord } from "../site/records.js";
import type { Counter, Site } from "../site/site.js";
import { imageView } from "../views/media.js";

type FilesByGuid = ReadonlyMap<string, string>;

export function filesByGuid(folder: string): FilesByGuid {
  const place = join(folder, "files");
  const names = existsSync(place) ? readdirSync(place) : [];
  return new Map(names.map((name) => [name.slice(0, name.length - extname(name).length), join(place, name)]));
}

const COUNTED: Readonly<Record<string, Counter>> = {
  guideid: "guide",
  stepid: "step",
  revisionid: "revision",
  guide_revisionid: "revision",
  wikiid: "wiki",
  documentid: "document",
  videoid: "video",
  commentid: "comment",
  releaseid: "release",
};

/** Collects media, people, bullet styles, flags and used numbers from an answer. */
export function collect(site: Site, files: FilesByGuid, value: unknown): void {
  if (Array.isArray(value)) {
    for (const inner of value) collect(site, files, inner);
    return;
  }
  if (!isAnswer(value)) return;
  for (const [shape, take] of SHAPES) if (shape(value)) take(site, files, value);
  for (const [field, inner] of Object.entries(value)) {
    const counter = COUNTED[field];
    if (counter !== undefined && typeof inner === "number") site.used(counter, inner);
    collect(site, files, inner);
  }
}

/** Image objects of 2013 have no guid, so the address decides (facts, 3.5). */
export function isImage(value: Answer): boolean {
  return typeof value["id"] === "number" && typeof value["original"] === "string";
}

type Take = (site: Site, files: FilesByGuid, value: Answer) => void;

const SHAPES: readonly (readonly [shape: (value: Answer) => boolean, take: Take])[] = [
  [(value) => isImage(objectAt(value, "image")) && typeof value["width"] === "number", takeImageDetail],
  [isImage, (site, files, value) => takeImage(site, files, value, {})],
  [(value) => typeof value["videoid"] === "number", takeVideo],
  [(value) => typeof value["documentid"] === "number", takeDocument],
  [
    (value) => typeof value["userid"] === "number" && typeof value["username"] === "string" && "reputation" in value,
    takeUser,
  ],
  [
    (value) => typeof value["flagid"] === "string",
    (site, _files, value) => site.flagTexts.set(textAt(value, "flagid"), value),
  ],
  [
    (value) => typeof value["bullet_styleid"] === "number" && "bullet_color" in value,
    (site, _files, value) => site.bulletStyles.set(numberAt(value, "bullet_styleid") ?? 0, value),
  ],
];

function takeImageDetail(site: Site, files: FilesByGuid, detail: Answer): void {
  if (!("videoid" in detail)) takeImage(site, files, objectAt(detail, "image"), detail);
}

function takeImage(site: Site, files: FilesByGuid, image: Answer, detail: Answer): void {
  const id = numberAt(image, "id") ?? 0;
  const original = textAt(image, "original");
  const guid = textAt(image, "guid", guidOf(original));
  const known = site.media.images.get(id);
  if (known !== undefined && numberAt(detail, "width") === undefined) return;
  const content = contentOf(files, guid, "png");
  const size = sizeOf(content, detail);
  const record: ImageRecord = {
    id,
    guid,
    filename: textAt(objectAt(detail, "exif"), "FileName", `${guid}.png`),
    owner: null,
    inManager: false,
    reencoded: false,
    copyid: null,
    date: site.now(),
    content,
    sizes: Object.keys(image).filter(
      (key) => !["id", "guid", "original"].includes(key) && typeof image[key] === "string",
    ),
    originalSuffix: original.endsWith(".full") ? ".full" : "",
    srcid: numberAt(detail, "srcid") ?? null,
    ...size,
    markup: typeof detail["markup"] === "string" ? detail["markup"] : null,
    loaded: detail,
  };
  site.media.images.set(id, record);
  site.used("image", id);
}

function takeVideo(site: Site, files: FilesByGuid, video: Answer): void {
  const id = numberAt(video, "videoid") ?? 0;
  const encodings = listAt(video, "encodings")
    .filter(isAnswer)
    .toSorted((one, other) => (numberAt(other, "width") ?? 0) - (numberAt(one, "width") ?? 0));
  const [best = {}, ...others] = encodings;
  const guid = textAt(video, "guid", guidOf(textAt(best, "url")) || `video${id}`);
  for (const other of others.map((encoding) => guidOf(textAt(encoding, "url"))).filter((name) => name !== guid)) {
    site.media.encodings.set(other, { guid: other, filename: `${other}.mp4`, content: contentOf(files, other, "mp4") });
  }
  const poster = objectAt(video, "image");
  const { image: _image, guid: _guid, ...loaded } = video;
  site.media.videos.set(id, {
    id,
    guid,
    filename: textAt(video, "filename", `${guid}.mp4`),
    owner: null,
    inManager: false,
    date: site.now(),
    content: contentOf(files, guid, "mp4"),
    image: numberAt(objectAt(poster, "image"), "id") ?? null,
    width: numberAt(video, "width") ?? 640,
    height: numberAt(video, "height") ?? 480,
    pollsLeft: 0,
    loaded,
  });
}

/** A document of a page, or its detail; the facts of both are kept. */
function takeDocument(site: Site, files: FilesByGuid, document: Answer): void {
  const id = numberAt(document, "documentid") ?? 0;
  const known = site.media.documents.get(id);
  const address = /^\/Document\/([^/]+)\//.exec(textAt(document, "url"))?.[1];
  const guid = textAt(document, "guid", address ?? guidOf(textAt(document, "download_url")));
  if (guid === "") return;
  const filename = textAt(document, "filename", textAt(document, "text", known?.filename ?? `${guid}.pdf`));
  const isDetail = typeof document["filename"] === "string";
  const icon = "icon" in document ? { icon: document["icon"] } : {};
  const loaded = { ...known?.loaded, ...(isDetail ? document : icon) };
  const extension = extensionOf(filename) || "pdf";
  const content = contentOf(files, guid, "pdf");
  const owner = { owner: null, inManager: false, date: numberAt(document, "date") ?? site.now() };
  site.media.documents.set(id, { id, guid, filename, extension, ...owner, content, loaded });
}

function takeUser(site: Site, _files: FilesByGuid, user: Answer): void {
  const userid = numberAt(user, "userid") ?? 0;
  if (site.users.has(userid)) return;
  site.users.set(userid, { userid, username: textAt(user, "username"), admin: false, loaded: user });
}

/** The last part of an address, up to a dot or `_` with capitals (the name of an encoding). */
function guidOf(address: string): string {
  const name = address.split(/[?#]/)[0]?.split("/").at(-1)?.split(".")[0] ?? "";
  return name.replace(/(_[A-Z0-9]+)+$/, "");
}

function contentOf(files: FilesByGuid, guid: string, make: "png" | "pdf" | "mp4"): Content {
  const path = files.get(guid);
  return path === undefined ? { from: "generator", make, seed: guid } : { from: "file", path };
}

function sizeOf(content: Content, detail: Answer): { readonly width: number; readonly height: number } {
  const [width, height] = [numberAt(detail, "width"), numberAt(detail, "height")];
  if (width !== undefined && height !== undefined) return { width, height };
  if (content.from === "file") {
    const size = imageSize(readFileSync(content.path));
    return { width: size.width, height: size.height };
  }
  return { width: 800, height: 600 };
}

/** Rewrites the media addresses of an answer to this site's own media. */
export type Rewrite = (answer: Answer) => Answer;

/**
 * Rewrites media addresses to this site, so that nobody calls the CDN of the loaded answers. All
 * media must be loaded before. Raw texts stay unchanged: they are content.
 */
export function createRewrite(site: Site): Rewrite {
  const tables = [site.media.images, site.media.videos, site.media.documents];
  const guids = new Set([
    ...tables.flatMap((table) => [...table.values()].map((medium) => medium.guid)),
    ...site.media.encodings.keys(),
  ]);
  const own = `https://${site.settings.domain}/static/`;
  const point = (address: string): string => {
    if (address.startsWith(own)) return `${site.mediaOrigin}/static/${address.slice(own.length)}`;
    return guids.has(guidOf(address)) ? `${site.mediaOrigin}/media/${address.split("/").at(-1)}` : address;
  };
  const rewrite = (value: unknown, field: string): unknown => {
    if (typeof value === "string") return field.endsWith("_raw") ? value : value.replaceAll(ADDRESS, point);
    if (Array.isArray(value)) return value.map((inner) => rewrite(inner, field));
    return isAnswer(value) ? rewriteObject(value) : value;
  };
  const rewriteObject = (object: Answer): Answer => {
    // An avatar's address has no guid, but its object has.
    const image = isImage(object) ? imageView(site, Number(object["id"])) : null;
    if (image !== null) return { ...object, ...image };
    return Object.fromEntries(Object.entries(object).map(([field, value]) => [field, rewrite(value, field)]));
  };
  return rewriteObject;
}

export function rewriteTables(site: Site, rewrite: Rewrite): void {
  const { images, videos, documents } = site.media;
  rewriteTable(images, rewrite);
  rewriteTable(videos, rewrite);
  rewriteTable(documents, rewrite);
  rewriteTable(site.users, rewrite);
  rewriteTable(site.teams, rewrite);
  for (const [flagid, answer] of site.flagTexts) site.flagTexts.set(flagid, rewrite(answer));
  for (const [styleid, answer] of site.bulletStyles) site.bulletStyles.set(styleid, rewrite(answer));
}

function rewriteTable<Entry extends { readonly loaded: Answer }>(table: Map<number, Entry>, rewrite: Rewrite): void {
  for (const [key, entry] of table) table.set(key, { ...entry, loaded: rewrite(entry.loaded) });
}

const ADDRESS = /https?:\/\/[^\s"'<>()\\]+/g;
