import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { alreadySent } from "../../../core/util/already-sent.js";
import { oneBehind } from "../../../core/util/iterables.js";
import { COMMON_HEADERS } from "../../components/http.js";
import type { Medium } from "../library.js";
import { headOf, type MediaType, mediaTypeOf } from "../media-type.js";

/** A request for a medium, and the connection that it is answered on. */
interface MediaRequest {
  readonly sha256: string;
  readonly medium: Medium;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Of the answer: how long a browser may keep it. */
  readonly cacheControl: string;
}

/** Types by content, so that each range of a film does not look at its beginning again. */
export type KnownTypes = Map<string, MediaType>;

const MOST_TYPES = 20_000;

/**
 * Answers with a medium or a part of it, streamed, until the browser goes away. Throws what reading
 * its beginning throws; what goes wrong later cuts the connection, since the answer has begun then,
 * and is thrown too.
 */
export async function answerMedia(request: MediaRequest, types: KnownTypes): Promise<Response> {
  const { sha256, medium, incoming, outgoing, cacheControl } = request;
  const tag = `"${sha256}"`;
  const kept = { etag: tag, "cache-control": cacheControl };
  if (tagsIn(incoming.headers["if-none-match"]).includes(tag))
    return new Response(null, { status: 304, headers: { ...PAGE_HEADERS, ...kept } });
  const headers = { ...mediaHeaders(await typeOf(request, types)), ...kept };
  const condition = incoming.headers["if-range"];
  const range = condition === undefined || condition === tag ? byteRange(incoming.headers.range, medium.size) : "all";
  if (range === "none")
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${medium.size}` } });
  const { start, end } = range === "all" ? { start: 0, end: medium.size } : range;
  const part = range === "all" ? {} : { "content-range": `bytes ${start}-${end - 1}/${medium.size}` };
  const answer = {
    status: range === "all" ? 200 : 206,
    headers: { ...headers, ...part, "content-length": String(end - start) },
  };
  if (incoming.method === "HEAD") return new Response(null, answer);
  const content = await medium.open(range === "all" ? undefined : { start, end });
  outgoing.writeHead(answer.status, answer.headers);
  await pipeline(content, oneBehind, outgoing);
  return alreadySent();
}

async function typeOf({ sha256, medium }: MediaRequest, types: KnownTypes): Promise<MediaType> {
  const known = types.get(sha256);
  if (known !== undefined) return known;
  const type = mediaTypeOf(await headOf(medium));
  if (types.size >= MOST_TYPES) types.clear();
  types.set(sha256, type);
  return type;
}

function tagsIn(header: string | undefined): readonly string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}

interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** A text as an answer, or 304 when the browser has the same. */
export function answerText(
  request: Request,
  text: string,
  { status, contentType, cacheControl }: TextAnswer,
): Response {
  const etag = etagOf(text);
  const headers = { ...PAGE_HEADERS, "content-type": contentType, "cache-control": cacheControl, etag };
  const isKnown = status === 200 && (request.headers.get("if-none-match") ?? "").split(/\s*,\s*/).includes(etag);
  if (isKnown) return new Response(null, { status: 304, headers });
  return new Response(text, { status, headers });
}

export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

/**
 * What a `Range` header asks for: `all` where it asks for nothing that is understood, `none` where
 * nothing of it is there.
 */
type AskedRange = { readonly start: number; readonly end: number } | "all" | "none";

/**
 * Reads a single range of bytes (RFC 9110, 14.1.2); several at once, and other units, are answered
 * with everything, as is allowed.
 */
export function byteRange(header: string | undefined, size: number): AskedRange {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "all";
  if (from === "") return to === "0" || size === 0 ? "none" : { start: Math.max(0, size - Number(to)), end: size };
  const [start, end] = [Number(from), to === "" ? size : Number(to) + 1];
  if (to !== "" && end <= start) return "all";
  return start >= size ? "none" : { start, end: Math.min(end, size) };
}

type Headers = Readonly<Record<string, string>>;

const PAGE_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * A page and what belongs to it: nothing but what this server serves, no inline script, no frame.
 */
export const PAGE_HEADERS: Headers = { ...COMMON_HEADERS, "content-security-policy": PAGE_POLICY };

/** A content of somebody else's opened by itself may do nothing. */
const MEDIA_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/**
 * Browsers show PDF files in a page of their own around the file, which many of them do not in a
 * sandbox; a script in the file has no page to reach.
 */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

function mediaHeaders({ shown, contentType }: MediaType): Headers {
  const policy = shown === "pdf" ? PDF_POLICY : MEDIA_POLICY;
  const disposition = shown === "download" ? "attachment" : "inline";
  return {
    ...COMMON_HEADERS,
    "content-type": contentType,
    "content-security-policy": policy,
    "content-disposition": disposition,
    "accept-ranges": "bytes",
  };
}
