import { COMMON_HEADERS } from "../../components/common-headers.js";
import type { MediaType } from "../media-type.js";

type Headers = Readonly<Record<string, string>>;

const PAGE_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A page and what belongs to it: nothing but what this server serves, no inline script, no frame. */
export const PAGE_HEADERS: Headers = { ...COMMON_HEADERS, "content-security-policy": PAGE_POLICY };

/** A content of somebody else's opened by itself may do nothing. */
const MEDIA_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Browsers show PDF files in a page of their own around the file, which many of them do not in a sandbox; a script in the file has no page to reach. */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function mediaHeaders({ shown, contentType }: MediaType): Headers {
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
