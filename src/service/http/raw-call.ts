import { EXIT, UsageError } from "../../core/errors.js";
import { API_HEADERS, segment } from "./client.js";
import type { HttpRequest, Transport, WholeResponse } from "./transport.js";

export interface RawCall {
  readonly method: HttpRequest["method"];
  /** From `rawAddress`. */
  readonly url: URL;
  /** JSON, sent unchanged; null: no body. */
  readonly body: string | null;
}

/** Makes the call; every status is an answer, also 401. Throws what a transport throws. */
export function rawCall(
  exchange: Transport<WholeResponse>,
  { method, url, body }: RawCall,
  signal: AbortSignal,
): Promise<WholeResponse> {
  return exchange(
    {
      method,
      url,
      headers: body === null ? API_HEADERS : { ...API_HEADERS, "content-type": "application/json" },
      ...(body === null ? {} : { body }),
      retry: method === "GET" ? "always" : "when-unsent",
      refusable: true,
      verbatim: true,
    },
    signal,
  );
}

/**
 * The address of a path with query: `guides/12?langid=de`, with or without the root's own path.
 * Blanks are escaped. Throws UsageError for an address outside the root: another host, or a part
 * that goes up, also an escaped one.
 */
export function rawAddress(root: string, written: string): URL {
  const [path = "", ...queries] = written.split("?");
  if (/[\\#\p{Cc}]/u.test(written))
    throw addressError(written, "has a character that is not allowed in an address of the API");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//"))
    throw addressError(written, `is a complete address, and this command only calls addresses below ${root}`);
  const below = path.replace(/^\//, "");
  const own = `${new URL(root).pathname.slice(1)}/`;
  const parts = (below.startsWith(own) ? below.slice(own.length) : below).split("/");
  const query = queries.length === 0 ? "" : `?${queries.join("?")}`;
  const url = new URL(`${root}/${parts.map((part) => safePart(written, part)).join("/")}${query}`);
  // Second check, since the sign-in must not be sent anywhere else.
  if (url.href.startsWith(`${root}/`)) return url;
  throw addressError(written, `is not below ${root}`);
}

function safePart(written: string, part: string): string {
  const decoded = decodedOnce(part);
  if (decoded === undefined)
    throw addressError(written, "has a % that is not followed by two hexadecimal digits; write %25 for a percent sign");
  if (decoded === "") throw addressError(written, "has an empty part");
  if (goesUp(decoded) || /\p{Cc}/u.test(decoded))
    throw addressError(written, "has a part that leads to another folder");
  return segment(decoded);
}

/** Servers and proxies may decode again: no level of decoding may go up. */
function goesUp(decoded: string): boolean {
  for (let text: string | undefined = decoded, last = ""; text !== undefined && text !== last; ) {
    if (text.split(/[/\\]/).some((part) => part === "." || part === "..")) return true;
    last = text;
    text = decodedOnce(text);
  }
  return false;
}

function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function addressError(written: string, why: string): UsageError {
  return new UsageError(
    `The path ${JSON.stringify(written)} ${why}. Write it as the API's documentation does, relative to the API root: guides/12, ` +
      '"guides?limit=5", wikis/CATEGORY/Hand%20Looms.',
    { exitCode: EXIT.usage },
  );
}

/** Hides the values of fields with names of secrets (`"authToken": "…"`), and nothing else. */
export function hideTokens(text: string): string {
  return text.replace(FIELD, '$1"[secret]"');
}

const FIELD =
  /("[A-Za-z0-9_-]{0,40}(?:token|passwo?r?d|passphrase|secret|api[_-]?key|credentials?|session[_-]?id)"\s*:\s*)"(?:[^"\\]|\\.)+"/gis;
