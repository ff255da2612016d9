import { ConnectionError } from "../core/errors.js";
import { type Clock, systemClock } from "../core/util/clock.js";
import type { ResponseHead, Transport, Wrap } from "./transport.js";

export interface HostBreakerOptions {
  /** As messages name it. */
  readonly host: string;
  readonly clock?: Clock | undefined;
}

/** Requests in a row without an answer, each after all its tries, before a host is left alone. */
const FAILURES = 5;
/** Milliseconds until one request tries it again. */
const REST = 60_000;

/**
 * Leaves a host alone that does not answer: after some requests in a row that failed in all their tries, by the connection or by a status
 * of 500 and above, every further one fails at once; after a rest one request asks again, and an answer brings all back. So a host that is
 * down costs what lies on it, and not the hours that each file's tries would take. Stands outside of retry, one for each host.
 */
export function createHostBreaker({ host, clock = systemClock }: HostBreakerOptions): Wrap {
  let inARow = 0;
  let restUntil = 0;

  function failed(): void {
    inARow += 1;
    restUntil = clock.now() + REST;
  }

  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      if (inARow >= FAILURES) {
        if (clock.now() < restUntil) throw leftAlone(host, inARow);
        // Only this one asks, until it is known what came of it.
        restUntil = clock.now() + REST;
      }
      try {
        const response = await inner(request, signal);
        if (response.status >= 500) failed();
        else inARow = 0;
        return response;
      } catch (error) {
        if (error instanceof ConnectionError && !signal.aborted) failed();
        throw error;
      }
    };
}

function leftAlone(host: string, inARow: number): ConnectionError {
  return new ConnectionError(
    `${host} was not asked: ${inARow} requests in a row got no answer there, each after all its tries. The next run asks it again.`,
    { unsent: true, retriable: false },
  );
}
