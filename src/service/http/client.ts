import type { Readable } from "node:stream";
import { EXIT, FerryError } from "../../core/errors.js";
import type { Redact } from "./secret.js";
import { statusError } from "./status-error.js";
import type { HttpRequest, Transport, WholeResponse } from "./transport.js";

export interface Answer {
  readonly status: number;
  /** The parsed body; undefined when it is empty or not JSON. */
  readonly json: unknown;
  readonly text: string;
  /** The content type: `application/json; charset=utf-8`. */
  readonly type?: string | undefined;
  /** Number of tries: an earlier try may have succeeded. Default: unknown. */
  readonly attempts?: number | undefined;
}

/** `true` is a presence flag, sent as `name=true` (specification, presence flags). */
export type Query = Readonly<Record<string, string | number | true | undefined>>;

export interface SendCall {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the API root: `guides/5/steps`. Titles in it go through `segment`. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly json?: unknown;
  /** A body of raw bytes; `open` is called for every try. */
  readonly file?: { readonly open: () => Readable | Buffer; readonly size: number; readonly type: string } | undefined;
  /** A create is repeated only if the site surely did nothing. Default: no create. */
  readonly create?: boolean | undefined;
  readonly expect?: readonly number[] | undefined;
  readonly refusable?: boolean | undefined;
}

interface GetOptions {
  readonly query?: Query | undefined;
  readonly expect?: readonly number[] | undefined;
  /** An expected 401 is an answer about this path. Default: it ends the sign-in. */
  readonly refusable?: boolean | undefined;
}

/**
 * The calls of one site.
 *
 * @throws StatusError for 300 and above unless in `expect`; SignInError; ConnectionError after all
 * tries; StoppedError for a long pause; the signal's reason
 */
export interface Client {
  /** `https://site.example/api/2.0`. */
  readonly root: string;
  get(path: string, options: GetOptions, signal: AbortSignal): Promise<Answer>;
  send(call: SendCall, signal: AbortSignal): Promise<Answer>;
}

interface ClientOptions {
  readonly root: string;
  readonly transport: Transport<WholeResponse>;
  readonly redact?: Redact | undefined;
  /** Prefix of the site's variables, for advice: `GUIDEFERRY_SOURCE`. */
  readonly variables?: string | undefined;
  /** Default: yes. */
  readonly signedIn?: boolean | undefined;
}

export function createClient(options: ClientOptions): Client {
  const { root, transport } = options;
  const turns = new Turns();

  async function exchange(
    request: HttpRequest,
    expect: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const response = await transport(request, signal);
    await turns.next();
    const { status, json, text, headers } = response;
    if (expect?.includes(status) !== true) {
      const failure = statusError(request, response, options);
      if (failure !== undefined) throw failure;
    }
    return { status, json, text, type: headers["content-type"], attempts: response.attempts };
  }

  return {
    root,
    get: (path, { query, expect, refusable }, signal) =>
      exchange(
        { method: "GET", url: addressOf(root, path, query), headers: API_HEADERS, retry: "always", refusable },
        expect,
        signal,
      ),
    send: (call, signal) => exchange(toRequest(root, call), call.expect, signal),
  };
}

/**
 * Hands out the turns of the event loop, one to each caller, when the sockets were served. So the
 * work on an answer delays neither the next request on its connection nor other answers.
 */
class Turns {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#give);
    });
  }

  readonly #give = (): void => {
    const first = this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(this.#give);
    first?.();
  };
}

/** One part of a path. Throws FerryError for nothing, `.`, `..` and broken characters. */
export function segment(text: string | number): string {
  const part = String(text);
  // These mean "here" and "one up" in every address, also when they are escaped.
  if (part === "" || part === "." || part === "..") throw unaddressable(part);
  try {
    return encodeURIComponent(part);
  } catch (error) {
    throw unaddressable(part, error);
  }
}

export const API_HEADERS = { accept: "application/json, */*;q=0.1", "user-agent": "guideferry" };

function toRequest(root: string, call: SendCall): HttpRequest {
  const { method, path, query, json, file, create, refusable } = call;
  const type = file?.type ?? (json === undefined ? undefined : "application/json");
  return {
    method,
    url: addressOf(root, path, query),
    headers: type === undefined ? API_HEADERS : { ...API_HEADERS, "content-type": type },
    body: file?.open ?? (json === undefined ? undefined : JSON.stringify(json)),
    length: file?.size,
    retry: create === true ? "when-unsent" : "always",
    refusable,
  };
}

function addressOf(root: string, path: string, query: Query = {}): URL {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return new URL(`${root}/${path.replace(/^\//, "")}${search}`);
}

function unaddressable(part: string, cause?: unknown): FerryError {
  return new FerryError(
    `${JSON.stringify(part)} cannot be part of an address of the API, so guideferry cannot read or write an item with that name. Rename it on the site.`,
    { exitCode: EXIT.someFailed, ...(cause === undefined ? {} : { cause }) },
  );
}
