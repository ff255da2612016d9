import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { contentBytes, contentType } from "../media-bytes.js";
import { isAnswer } from "../site/answer.js";
import type { Content } from "../site/records.js";
import type { Site } from "../site/site.js";

interface Served {
  readonly content: Content;
  readonly type: string;
  readonly guid: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * Answers `GET` of a medium: `/media/<guid>.<rendition>` and the page of a document. Every
 * rendition has the original's bytes. Ranges and ETags work as on a CDN. Undefined for other paths.
 */
export async function mediaFile(site: Site, request: Request): Promise<Response | undefined> {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/static/")) return respond(request, placeholder(pathname));
  const guid = /^\/(?:media|Document)\/([^/.]+)/.exec(pathname)?.[1] ?? "";
  // An encoding of a video has a name after its guid.
  const medium = mediumOf(site, guid) ?? mediumOf(site, guid.replace(/(_[A-Z0-9]+)+$/, ""));
  return medium === undefined ? undefined : respond(request, { ...medium, type: contentType(nameOf(medium)) });
}

function mediumOf(site: Site, guid: string) {
  const { images, videos, documents } = site.media;
  for (const table of [images, videos, documents]) {
    for (const medium of table.values()) if (medium.guid === guid) return medium;
  }
  return site.media.encodings.get(guid);
}

function respond(request: Request, served: Served): Response {
  const whole = sizeOf(served);
  const etag = `"${served.guid}"`;
  const headers = new Headers({ "content-type": served.type, "accept-ranges": "bytes", etag });
  const match = request.headers.get("if-match");
  if (match !== null && match !== etag && match !== "*") return new Response(null, { status: 412, headers });
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const condition = request.headers.get("if-range");
  const range = condition === null || condition === etag ? request.headers.get("range") : null;
  const asked = rangeOf(range, whole);
  if (asked === "unsatisfiable") {
    headers.set("content-range", `bytes */${whole}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = asked ?? { start: 0, end: whole - 1 };
  headers.set("content-length", String(end - start + 1));
  if (asked !== undefined) headers.set("content-range", `bytes ${start}-${end}/${whole}`);
  return new Response(bodyOf(served, start, end, whole), { status: asked === undefined ? 200 : 206, headers });
}

/** One range of bytes; any other value is ignored (RFC 9110, 14.2). */
function rangeOf(header: string | null, whole: number): { start: number; end: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") return { start: Math.max(0, whole - Number(to)), end: whole - 1 };
  const end = to === "" ? whole - 1 : Math.min(Number(to), whole - 1);
  return Number(from) > end ? "unsatisfiable" : { start: Number(from), end };
}

function sizeOf(served: Served): number {
  return served.content.from === "file" ? statSync(served.content.path).size : contentBytes(served).length;
}

function bodyOf(
  served: Served,
  start: number,
  end: number,
  whole: number,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (whole === 0) return null;
  if (served.content.from === "generator") return new Uint8Array(contentBytes(served).subarray(start, end + 1));
  return Readable.toWeb(createReadStream(served.content.path, { start, end })) as ReadableStream<Uint8Array>;
}

function nameOf(medium: { readonly content: Content; readonly filename: string }): string {
  if (medium.content.from === "file") return medium.content.path;
  return `generated.${medium.content.make}`;
}

function placeholder(pathname: string): Served {
  return {
    content: { from: "generator", make: "png", seed: pathname },
    type: "image/png",
    guid: "placeholder",
    width: 56,
    height: 56,
  };
}

const PAGE = /^\/external-training-modules\/(?:imports\/(\d+)\/preview|(\d+)\/play)$/;

/**
 * The pages of launch links. That of the preview of a cmi5 course is an error, though it has a link
 * (training modules, 1.2). Undefined for other paths.
 */
export async function trainingPage(site: Site, request: Request): Promise<Response | undefined> {
  const [, importid, moduleid] = PAGE.exec(new URL(request.url).pathname) ?? [];
  if (importid === undefined && moduleid === undefined) return undefined;
  const imported = site.rows.moduleImports.get(Number(importid));
  if (importid !== undefined && imported?.["status"] !== "complete") return page(404, "There is no such preview.");
  if (imported?.["learningStandard"] === "CMI5") return page(500, "This course can not be previewed.");
  const isPlayable = importid !== undefined || isAnswer(site.rows.modules.get(Number(moduleid))?.["current"]);
  return isPlayable ? page(200, "The course plays here.") : page(404, "There is no such course.");
}

function page(status: number, text: string): Response {
  const headers = { "content-type": "text/html; charset=utf-8" };
  return new Response(`<!doctype html><title>Course</title><p>${text}</p>`, { status, headers });
}
