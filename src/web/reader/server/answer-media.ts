import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { alreadySent } from "../../../core/util/already-sent.js";
import { oneBehind } from "../../../core/util/one-behind.js";
import type { Medium } from "../library.js";
import { headOf } from "../media-head.js";
import { type MediaType, mediaTypeOf } from "../media-type.js";
import { byteRange } from "./byte-range.js";
import { mediaHeaders, PAGE_HEADERS } from "./security-headers.js";

/** A request for a medium, and the connection that it is answered on. */
export interface MediaRequest {
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
 * Answers with a medium or a part of it, streamed, until the browser goes away. Throws what reading its beginning throws; what goes wrong later cuts the connection, since the answer has
 * begun then, and is thrown too.
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
