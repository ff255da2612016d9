import { ConnectionError, FerryError, StoppedError } from "../../core/errors.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import type { HttpRequest, Log, ResponseHead, Transport, Wrap } from "./transport.js";

export interface RetryPolicy {
  /** Most tries of a request; default 6. */
  readonly tries?: number | undefined;
  /** Milliseconds before the second try at most, then doubled; default 1000. */
  readonly firstDelay?: number | undefined;
  /** Longest back-off in milliseconds; default 30000. */
  readonly longestDelay?: number | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 up to but not including 1. */
  readonly random?: (() => number) | undefined;
  readonly log?: Log | undefined;
}

// Without 501: a call that is not implemented stays so.
const PASSING = new Set([500, 502, 503, 504]);

type Outcome<Response> =
  | { readonly response: Response; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: unknown };

/**
 * Repeats a request after passing failures: no connection, a broken answer, 429, 500, 502, 503,
 * 504. A create (`when-unsent`) only if the site surely did nothing. Waits as `Retry-After` says,
 * else exponentially with full jitter. The last answer or error has the number of tries.
 */
export function retry(policy: RetryPolicy = {}): Wrap {
  const tries = policy.tries ?? 6;
  const clock = policy.clock ?? systemClock;
  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await attemptOnce(inner, { ...request, attempt }, signal);
        if (attempt >= tries || signal.aborted || !mayRetry(request, outcome)) return lastResult(outcome, attempt);
        const wait = waitFor(request, outcome, attempt, policy, clock.now());
        policy.log?.(
          `${request.method} ${request.url.href}: try ${attempt} of ${tries} failed, next try in ${Math.round(wait)} ms`,
        );
        await clock.sleep(wait, signal);
      }
    };
}

async function attemptOnce<Response extends ResponseHead>(
  inner: Transport<Response>,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Outcome<Response>> {
  try {
    return { response: await inner(request, signal) };
  } catch (error) {
    return { error };
  }
}

function mayRetry(request: HttpRequest, outcome: Outcome<ResponseHead>): boolean {
  if (outcome.response !== undefined) {
    const { status } = outcome.response;
    return status === 429 || (request.retry === "always" && PASSING.has(status));
  }
  const { error } = outcome;
  if (!(error instanceof FerryError) || !error.retriable) return false;
  return request.retry === "always" || (error instanceof ConnectionError && error.unsent);
}

function waitFor(
  request: HttpRequest,
  outcome: Outcome<ResponseHead>,
  attempt: number,
  policy: RetryPolicy,
  now: number,
): number {
  const random = policy.random ?? Math.random;
  const ceiling = Math.min(policy.longestDelay ?? 30_000, (policy.firstDelay ?? 1000) * 2 ** (attempt - 1));
  const backOff = random() * ceiling;
  const asked = outcome.response === undefined ? undefined : retryAfter(outcome.response.headers, now);
  if (outcome.response !== undefined && asked !== undefined && asked > LONGEST_WAIT) {
    throw comeBackLater(request, outcome.response.status, asked, now);
  }
  // `Retry-After: 0` sets no time.
  return asked === undefined || asked === 0 ? backOff : asked;
}

function lastResult<Response extends ResponseHead>(outcome: Outcome<Response>, attempts: number): Response {
  if (outcome.response !== undefined) return { ...outcome.response, attempts };
  const { error } = outcome;
  if (attempts === 1 || !(error instanceof ConnectionError)) throw error;
  throw new ConnectionError(`${error.message} It was tried ${attempts} times.`, {
    unsent: error.unsent,
    retriable: error.retriable,
    cause: error.cause ?? error,
  });
}

/** The longest wait within a run. For a longer one, a person has to start the run again. */
export const LONGEST_WAIT = 15 * 60 * 1000;

/**
 * The milliseconds that an answer asks to wait (RFC 9110, 10.2.3); undefined: none. A date is
 * compared with the answer's own `Date`, so that a wrong clock has no effect.
 */
export function retryAfter(headers: ResponseHead["headers"], now: number): number | undefined {
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // An HTTP date begins with a day's name; Date.parse also accepts "-5" and "1.5".
  const until = /^[A-Z][a-z]{2,8}, /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirNow = Date.parse(headers["date"] ?? "");
  return Math.max(0, until - (Number.isNaN(theirNow) ? now : theirNow));
}

export function comeBackLater(request: HttpRequest, status: number, wait: number, now: number): StoppedError {
  const until = new Date(now + wait).toISOString();
  return new StoppedError(
    `${request.url.origin} answered ${status} and asked guideferry to wait until ${until} (${Math.round(wait / 60_000)} minutes). Everything done so far is kept. Run the same command again after that time.`,
  );
}
