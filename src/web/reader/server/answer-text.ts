import { createHash } from "node:crypto";
import { PAGE_HEADERS } from "./security-headers.js";

export interface TextAnswer {
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
