import { Readable } from "node:stream";
import { FerryError, StoppedError } from "../../core/errors.js";
import { systemClock } from "../../core/util/clock.js";
import { API_HEADERS } from "../http/client.js";
import { rawAddress } from "../http/raw-call.js";
import { retryAfter } from "../http/retry.js";
import { messageOf } from "../http/status-error.js";
import type { HttpRequest, Transport, WholeResponse } from "../http/transport.js";

/** The result of one request, not yet checked. */
export interface AskResult {
  readonly path: string;
  /** null: no complete answer came. */
  readonly status: number | null;
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from the first byte sent to the end of the answer. */
  readonly took: number;
  /** Milliseconds that the site's clock is ahead, by its Date header; null: no header. */
  readonly skew: number | null;
  /** The site's reason for a refusal, or why no answer came. */
  readonly message: string | null;
  readonly error: FerryError | null;
  /** The waits in milliseconds that answers 429 asked for, null where one names none. */
  readonly tooMany: readonly (number | null)[];
}

interface Call {
  readonly method?: HttpRequest["method"];
  readonly path: string;
  readonly json?: unknown;
  readonly bytes?: Buffer;
  /** Tries for a busy site; default 3. Creates are sent once. */
  readonly tries?: number;
}

/** Sends a request; every status is an answer, also 401. Rejects with the signal's reason only. */
export type Ask = (call: Call, signal: AbortSignal) => Promise<AskResult>;

interface AskParts {
  readonly root: string;
  readonly exchange: Transport<WholeResponse>;
  /** UNIX milliseconds when the last request was sent: waits for the rate don't count. */
  readonly startedAt: () => number;
}

/** Keeps the time of the last request; `beat` is called at each and calls `passOn`. */
export function createStartClock(passOn: () => void): { readonly beat: () => void; readonly startedAt: () => number } {
  let started = 0;
  const beat = (): void => {
    started = Date.now();
    passOn();
  };
  return { beat, startedAt: () => started };
}

const BUSY: ReadonlySet<number | null> = new Set([null, 429, 500, 502, 503, 504]);
const PAUSE = 500;
/** Milliseconds: a person waits for the check. */
const LONGEST_WAIT = 30_000;

export function createAsk({ root, exchange, startedAt }: AskParts): Ask {
  let closedUntil = 0;
  const once = async (call: Call, signal: AbortSignal): Promise<AskResult> => {
    if (Date.now() < closedUntil) return unanswered(call, new StoppedError(pauseRequested(root, closedUntil)));
    try {
      const reply = answered(call, await exchange(requestOf(root, call), signal), startedAt());
      const asked = reply.status === 429 || reply.status === 503 ? retryAfter(reply.headers, Date.now()) : undefined;
      if (asked !== undefined && asked > LONGEST_WAIT) closedUntil = Date.now() + asked;
      return reply;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FerryError)) throw error;
      return unanswered(call, error);
    }
  };
  return async (call, signal) => {
    const tooMany: (number | null)[] = [];
    for (let tries = call.tries ?? 3; ; tries -= 1) {
      signal.throwIfAborted();
      const reply = await once(call, signal);
      if (reply.status === 429) tooMany.push(retryAfter(reply.headers, Date.now()) ?? null);
      const isFinal = !BUSY.has(reply.status) || (reply.error !== null && !reply.error.retriable);
      if (tries <= 1 || isFinal) return { ...reply, tooMany };
      await systemClock.sleep(PAUSE, signal);
    }
  };
}

function unanswered({ path }: Call, error: FerryError): AskResult {
  return { ...NOTHING, path, message: error.message, error };
}

function pauseRequested(root: string, until: number): string {
  return `${new URL(root).origin} asked guideferry to send nothing until ${new Date(until).toISOString()}.`;
}

const NOTHING = { status: null, json: undefined, headers: {}, took: 0, skew: null, tooMany: [] } as const;

function requestOf(root: string, { method = "GET", path, json, bytes }: Call): HttpRequest {
  const type = bytes === undefined ? "application/json" : "application/octet-stream";
  const body =
    bytes === undefined ? (json === undefined ? undefined : JSON.stringify(json)) : () => Readable.from([bytes]);
  return {
    method,
    url: rawAddress(root, path),
    headers: body === undefined ? API_HEADERS : { ...API_HEADERS, "content-type": type },
    body,
    length: bytes?.length,
    retry: method === "POST" ? "when-unsent" : "always",
    refusable: true,
    verbatim: true,
  };
}

function answered({ path }: Call, { status, json, headers, text }: WholeResponse, sent: number): AskResult {
  const now = Date.now();
  const message = status < 400 ? null : (messageOf(json ?? text) ?? null);
  return {
    path,
    status,
    json,
    headers,
    took: now - sent,
    skew: skewOf(headers, sent, now),
    message,
    error: null,
    tooMany: [],
  };
}

/** A Date header has whole seconds, so half a second is added. */
function skewOf(headers: AskResult["headers"], sent: number, now: number): number | null {
  const theirs = Date.parse(headers["date"] ?? "");
  return Number.isNaN(theirs) ? null : Math.round(theirs + 500 - (sent + now) / 2);
}
