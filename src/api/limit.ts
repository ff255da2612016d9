import type { StoppedError } from "../errors.js";
import { type Clock, systemClock } from "../util/clock.js";
import type { Log } from "./request-log.js";
import type { RequestQueue } from "./request-queue.js";
import { comeBackLater, LONGEST_WAIT, retryAfter } from "./retry-after.js";
import type { HttpRequest, ResponseHead, Transport, Wrap } from "./transport.js";

export interface LimitOptions {
  readonly clock?: Clock | undefined;
  /** From 0 up to but not including 1. */
  readonly random?: (() => number) | undefined;
  readonly log?: Log | undefined;
}

// Milliseconds: of the first pause after a 429 without Retry-After, and of the longest.
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/**
 * Sends requests through the queue of their origin. A 429, and a 503 with Retry-After, pauses the whole queue: as long as
 * the answer says, else for a time that doubles with every 429 in a row. Use one wrap for everything that shares the queue.
 *
 * A site that asks for more than LONGEST_WAIT ends the run: this request and every later one is refused with StoppedError.
 */
export function limit(queue: RequestQueue, options: LimitOptions = {}): Wrap {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  let pauses = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;
  let ended: { readonly until: number; readonly error: StoppedError } | undefined;

  function pause(request: HttpRequest, response: ResponseHead, startedAt: number): void {
    const now = clock.now();
    const asked = retryAfter(response.headers, now);
    if (asked !== undefined && asked > LONGEST_WAIT) {
      ended = { until: now + asked, error: comeBackLater(request, response.status, asked, now) };
      throw ended.error;
    }
    // Requests that were under way together are answered 429 together: that is one event, not many.
    if (startedAt > pausedAt) pauses += 1;
    pausedAt = now;
    const backOff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (pauses - 1)) * (0.5 + random() / 2);
    const wait = asked === undefined || asked === 0 ? backOff : asked;
    options.log?.(
      `${request.url.origin} answered ${response.status}: nothing is sent there for ${Math.round(wait)} ms`,
    );
    queue.pauseUntil(now + wait);
  }

  function note(request: HttpRequest, response: ResponseHead, startedAt: number): void {
    const unavailable = response.status === 503 && response.headers["retry-after"] !== undefined;
    if (response.status === 429 || unavailable) pause(request, response, startedAt);
    else if (startedAt > pausedAt) pauses = 0;
  }

  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    (request, signal) =>
      queue.run(
        async () => {
          if (ended !== undefined && clock.now() < ended.until) throw ended.error;
          const startedAt = clock.now();
          const response = await inner(request, signal);
          note(request, response, startedAt);
          return response;
        },
        signal,
        request.urgent,
      );
}
