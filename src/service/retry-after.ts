import { StoppedError } from "../core/errors.js";
import type { HttpRequest, ResponseHead } from "./transport.js";

/** The longest wait that a site may ask for in the midst of a run; a longer one is a person's decision. */
export const LONGEST_WAIT = 15 * 60 * 1000;

/**
 * The milliseconds that an answer asks to wait (RFC 9110, 10.2.3: seconds or an HTTP date); undefined when it asks for
 * nothing, or for nothing that can be understood. A date is read against the answer's own `Date`, so that a wrong clock
 * on either side does no harm.
 */
export function retryAfter(headers: ResponseHead["headers"], now: number): number | undefined {
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse takes many things for a date, "-5" and "1.5" among them; an HTTP date begins with a day's name.
  const until = /^[A-Z][a-z]{2,8}, /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirNow = Date.parse(headers["date"] ?? "");
  return Math.max(0, until - (Number.isNaN(theirNow) ? now : theirNow));
}

/** The end of a run that a site told to come back much later. */
export function comeBackLater(request: HttpRequest, status: number, wait: number, now: number): StoppedError {
  const until = new Date(now + wait).toISOString();
  return new StoppedError(
    `${request.url.origin} answered ${status} and asks to wait until ${until} (${Math.round(wait / 60_000)} minutes). Everything done so far is kept. Run the same command again after that time.`,
  );
}
