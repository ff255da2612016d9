import { performance } from "node:perf_hooks";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { FerryError, type StoppedError } from "../../core/errors.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { createRequestQueue, type RequestQueue, type RequestQueueOptions } from "./request-queue.js";
import type { RateFacts, SharedBudget } from "./request-rate.js";
import { type AnswerTimes, createAnswerTimes, createStartCounts, type QueueUse } from "./request-statistics.js";
import { comeBackLater, LONGEST_WAIT, type RetryPolicy, retry, retryAfter } from "./retry.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, Log, ObserveRequest, ResponseHead, Transport, Wrap } from "./transport.js";

interface OriginLineOptions
  extends Pick<RequestQueueOptions, "rate" | "concurrency" | "lastActivity" | "onStart" | "pause"> {
  readonly origin: string;
  /** Default: the rate is not shared. Without a rate there is nothing to share. */
  readonly budget?: SharedBudget | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly redact: Redact;
  readonly log?: Log | undefined;
  readonly observe?: ObserveRequest | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export interface OriginLine {
  readonly queue: RequestQueue;
  /** Retry is outside of the queue, so that each repetition waits again. */
  readonly wrap: Wrap;
  use(): QueueUse;
}

export function createOriginLine(options: OriginLineOptions): OriginLine {
  const { origin, rate, budget, redact, log, observe, clock, random } = options;
  const times = createAnswerTimes();
  const counts = { starts: 0, refusals: 0 };
  const starts = createStartCounts();
  const queue = createRequestQueue({
    ...options,
    lease: rate === undefined ? undefined : budget?.join(origin, rate),
    onStart: (startedAt) => {
      counts.starts += 1;
      starts.note(startedAt);
      options.onStart?.(startedAt);
    },
    onRate: (facts) => log?.(`${origin}: ${describeRate(facts)}`),
  });
  const retried = retry({ ...options.retry, clock, random, log });
  const limited = limit(queue, {
    clock,
    random,
    log,
    times,
    onRefused: () => {
      counts.refusals += 1;
    },
  });
  return {
    queue,
    wrap: (inner) => retried(limited(observed(logRequests(inner, log, redact, clock), observe))),
    use: () => ({ origin, ...queue.use(), latency: times.median(), ...counts, startsBySecond: starts.seconds() }),
  };
}

function describeRate({ rate, given, slowedBy }: RateFacts): string {
  const why = { refusal: "because the site refused more", latency: "because its answers became slow" };
  return `${rate.toFixed(1)} requests a second of ${given}${slowedBy === null ? "" : `, ${why[slowedBy]}`}`;
}

interface LimitOptions {
  readonly clock?: Clock | undefined;
  /** From 0 up to but not including 1. */
  readonly random?: (() => number) | undefined;
  readonly log?: Log | undefined;
  readonly times?: AnswerTimes | undefined;
  readonly onRefused?: (() => void) | undefined;
}

// Milliseconds.
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
// Above this share of CPU time, the time of an answer shows this process, not the site.
const BUSY = 0.5;

/**
 * Sends requests through the queue of their origin. A 429, and a 503 with Retry-After, pauses the
 * whole queue: as asked, else for a time that doubles with every 429 in a row. More than
 * LONGEST_WAIT ends the run with StoppedError. All that shares the queue needs the same wrap.
 */
export function limit(queue: RequestQueue, options: LimitOptions = {}): Wrap {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const times = options.times ?? createAnswerTimes();
  let pauses = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;
  let ended: { readonly until: number; readonly error: StoppedError } | undefined;

  function pause(request: HttpRequest, response: ResponseHead, startedAt: number): void {
    options.onRefused?.();
    const now = clock.now();
    const asked = retryAfter(response.headers, now);
    if (asked !== undefined && asked > LONGEST_WAIT) {
      ended = { until: now + asked, error: comeBackLater(request, response.status, asked, now) };
      throw ended.error;
    }
    // Several 429 to requests that were active together are one event.
    if (startedAt > pausedAt) {
      pauses += 1;
      queue.adaptTo({ kind: "refused", at: now });
    }
    pausedAt = now;
    const backOff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (pauses - 1)) * (0.5 + random() / 2);
    const wait = asked === undefined || asked === 0 ? backOff : asked;
    options.log?.(
      `${request.url.origin} answered ${response.status}: guideferry sends nothing there for ${Math.round(wait)} ms`,
    );
    queue.pauseUntil(now + wait);
  }

  function note(request: HttpRequest, response: ResponseHead, startedAt: number): void {
    const unavailable = response.status === 503 && response.headers["retry-after"] !== undefined;
    if (response.status === 429 || unavailable) pause(request, response, startedAt);
    else if (startedAt > pausedAt) pauses = 0;
  }

  /** Uploads, failures and times of a busy process show nothing about the site. */
  function noteTime(request: HttpRequest, { status }: ResponseHead, startedAt: number, busy: number): void {
    const at = clock.now();
    const tells = status < 400 && typeof request.body !== "function";
    const slowness = tells ? times.note(request, at - startedAt) : null;
    if (startedAt > pausedAt) queue.adaptTo({ kind: "answered", at, slowness: busy > BUSY ? null : slowness });
  }

  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      const answer = await queue.run(
        async (onSent) => {
          if (ended !== undefined && clock.now() < ended.until) throw ended.error;
          const startedAt = clock.now();
          const work = performance.eventLoopUtilization();
          const response = await inner({ ...request, onSent }, signal);
          note(request, response, startedAt);
          noteTime(request, response, startedAt, performance.eventLoopUtilization(work).utilization);
          return response;
        },
        signal,
        request.urgent,
      );
      // A connection takes its next request at the end of the turn, before the answer is used.
      await endOfTurn();
      return answer;
    };
}

/** One line for every request: `GET https://… 200, 84 ms, 5120 bytes, try 2`. */
function logRequests<Response extends ResponseHead>(
  inner: Transport<Response>,
  log: Log | undefined,
  redact: Redact,
  clock: Clock = systemClock,
): Transport<Response> {
  if (log === undefined) return inner;
  return async (request, signal) => {
    const started = clock.now();
    const line = (result: string) =>
      log(redact(`${request.method} ${request.url.href} ${result}, ${clock.now() - started} ms${tryOf(request)}`));
    try {
      const response = await inner(request, signal);
      line(`${response.status}${bytesOf(response)}`);
      return response;
    } catch (error) {
      line(`no answer (${error instanceof FerryError ? error.message : String(error)})`);
      throw error;
    }
  };
}

function observed<Response extends ResponseHead>(
  inner: Transport<Response>,
  observe: ObserveRequest | undefined,
): Transport<Response> {
  if (observe === undefined) return inner;
  return async (request, signal) => {
    const end = observe(request);
    try {
      const response = await inner(request, signal);
      const length = Number(response.bytes ?? response.headers["content-length"] ?? Number.NaN);
      end({ status: response.status, bytes: Number.isNaN(length) ? null : length });
      return response;
    } catch (error) {
      end({ error });
      throw error;
    }
  };
}

export function redactedLog(log: Log | undefined, redact: Redact): Log | undefined {
  return log === undefined ? undefined : (line) => log(redact(line));
}

function tryOf(request: HttpRequest): string {
  return request.attempt === undefined || request.attempt === 1 ? "" : `, try ${request.attempt}`;
}

function bytesOf(response: ResponseHead): string {
  const bytes = response.bytes ?? response.headers["content-length"];
  return bytes === undefined ? "" : `, ${bytes} bytes`;
}
