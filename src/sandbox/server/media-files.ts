import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { contentBytes } from "../bytes/content-bytes.js";
import { contentType } from "../bytes/content-type.js";
import type { Content } from "../state/media.js";
import type { Site } from "../state/site.js";

interface Served {
  readonly content: Content;
  readonly type: string;
  readonly guid: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * Answers `GET` of a medium: `/media/<guid>.<rendition>` and the page of a document. Every rendition is the original's
 * bytes. Ranges and ETags work as on a CDN. Undefined when the path is none of them.
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

/** The medium of a guid. */
export function mediumOf(site: Site, guid: string) {
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

/** One range of bytes; anything that is not one is ignored (RFC 9110, 14.2). */
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
