import type { Readable } from "node:stream";

// What retry, limit, authorize and the request log wrap; stack.ts puts them together.

/** One request to a site. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A function makes a fresh stream for every try. */
  readonly body?: string | (() => Readable) | undefined;
  /** Bytes of a stream body. Sites want a Content-Length on uploads. */
  readonly length?: number | undefined;
  /**
   * `when-unsent`: a create is sent again only where the site surely did nothing (429, no
   * connection), since the service has no idempotency keys.
   */
  readonly retry: "always" | "when-unsent";
  /** A 401 is an answer about this path, not the end of the sign-in. */
  readonly refusable?: boolean | undefined;
  /** The body is wanted as it came: neither an empty one nor damaged JSON is a broken answer. */
  readonly verbatim?: boolean | undefined;
  /** Goes ahead of the waiting requests, and out of a queue that is held: the login. */
  readonly urgent?: boolean | undefined;
  /** Called when the request goes out, before its first byte; set by limit, for the rate. */
  readonly onSent?: (() => void) | undefined;
  /** Which try this is, from 1; set by retry, for the log. */
  readonly attempt?: number | undefined;
}

/** What every answer has, however its body is handed over. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url: URL;
  /** Bytes on the wire; null: not read yet. */
  readonly bytes: number | null;
  /** Set by retry. */
  readonly attempts?: number | undefined;
}

/** The body must be read or destroyed: an unread one blocks its connection. */
export interface HttpResponse extends ResponseHead {
  readonly body: Readable;
}

/** An answer that was read to its end. */
export interface WholeResponse extends ResponseHead {
  readonly text: string;
  /** The parsed body; undefined when it is empty or not JSON. */
  readonly json: unknown;
}

/**
 * Sends a request. Every status is an answer.
 * @throws ConnectionError without a whole answer; the signal's reason
 */
export type Transport<Response extends ResponseHead = HttpResponse> = (
  request: HttpRequest,
  signal: AbortSignal,
) => Promise<Response>;

/** Adds something to a transport of any kind, without its callers knowing. */
export type Wrap = <Response extends ResponseHead>(inner: Transport<Response>) => Transport<Response>;

/** Takes one line for a person who asked for more than the summary; it holds no secret. */
export type Log = (line: string) => void;
