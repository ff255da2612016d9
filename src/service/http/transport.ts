import type { Readable } from "node:stream";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A function opens a file for every try: as a stream, or with all its bytes. */
  readonly body?: string | (() => Readable | Buffer) | undefined;
  /** Bytes of a stream body. Sites need a Content-Length for uploads. */
  readonly length?: number | undefined;
  /**
   * `when-unsent`: a create is repeated only if the site surely did nothing: no idempotency keys.
   */
  readonly retry: "always" | "when-unsent";
  /** A 401 is an answer about this path, not the end of the sign-in. */
  readonly refusable?: boolean | undefined;
  /** Returns the body unchanged: an empty one or damaged JSON is an answer too. */
  readonly verbatim?: boolean | undefined;
  /** Comes before the waiting requests, also in a held queue: the login. */
  readonly urgent?: boolean | undefined;
  /** Called before the first byte; if it throws, nothing is sent. Set by limit, for the rate. */
  readonly onSent?: (() => void) | undefined;
  /** Told of each wait of the body for its bandwidth; set by read, whose deadline it extends. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
  /** Number of this try, from 1; set by retry, for the log. */
  readonly attempt?: number | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url: URL;
  /** Bytes on the wire; null: not read yet. */
  readonly bytes: number | null;
  readonly attempts?: number | undefined;
}

/** The body must be read or destroyed: an unread one blocks its connection. */
export interface HttpResponse extends ResponseHead {
  readonly body: Readable;
}

export interface WholeResponse extends ResponseHead {
  readonly text: string;
  /** The parsed body; undefined when it is empty or not JSON. */
  readonly json: unknown;
}

/** Every status is an answer. Throws ConnectionError without one, or the signal's reason. */
export type Transport<Response extends ResponseHead = HttpResponse> = (
  request: HttpRequest,
  signal: AbortSignal,
) => Promise<Response>;

/** Wraps a transport of any kind, without a change for its callers. */
export type Wrap = <Response extends ResponseHead>(inner: Transport<Response>) => Transport<Response>;

/** How a request that was sent ended: with an answer, whatever its status, or with an error. */
export type RequestEnd =
  | { readonly status: number /** null: unknown. */; readonly bytes: number | null }
  | { readonly error: unknown };

/**
 * Told of each request when it is sent, repetitions too. Its result is told of the end: of an API
 * answer after its body, of media after their head. Neither may throw.
 */
export type ObserveRequest = (request: Pick<HttpRequest, "method" | "url" | "attempt">) => (end: RequestEnd) => void;

/**
 * Called just before the first byte of a write request (any method but GET) is sent, after its
 * waits for the queue, the rate and a connection. If it throws, nothing is sent, and the request
 * fails with that error.
 */
export type WriteGate = () => void;

/** Takes one line of --verbose, which has no secret. */
export type Log = (line: string) => void;
