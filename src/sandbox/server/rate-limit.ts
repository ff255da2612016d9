/** A real rate limit over a sliding window. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
  readonly retryAfter?: boolean;
}

/** Counts a request; returns the milliseconds to wait when it is one too many. Refused requests do not count. `clock`: milliseconds. */
export function createLimiter(limit: RateLimit | undefined, clock: () => number): () => number | undefined {
  let taken: number[] = [];
  return () => {
    if (limit === undefined) return undefined;
    const now = clock();
    taken = taken.filter((at) => at > now - limit.perMs);
    const oldest = taken[0];
    if (taken.length >= limit.requests && oldest !== undefined) return oldest + limit.perMs - now;
    taken.push(now);
    return undefined;
  };
}
