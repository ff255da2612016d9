import type { Clock } from "../core/util/clock.js";
import { adapt, firstRate, type RateEvent } from "./adaptive-rate.js";
import { createOwnSchedule, spacingOf } from "./pace.js";
import type { BudgetSeat } from "./shared-budget.js";

/** Knows when the next request to an origin may start. */
export interface RateKeeper {
  /** Milliseconds until then; 0: it is counted, and has to follow at once. */
  claim(): number;
  /** To be called by the start; what it gives is to be called when that leaves, since the site counts it then. */
  started(): () => void;
  /** Learns from what the site did. */
  heed(event: RateEvent): void;
  facts(): RateFacts;
  close(): void;
}

/** At what rate a site is asked. */
export interface RateFacts {
  /** Starts a second that a person allows. */
  readonly given: number;
  /** Those of this machine now; never above the given ones. */
  readonly rate: number;
  /** What it was slowed down by; null: nothing. */
  readonly slowedBy: "refusal" | "latency" | null;
  /** Among so many queues it is divided. */
  readonly sharers: number;
}

export interface RateKeeperOptions {
  readonly rate: number | undefined;
  /** No burst is larger. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Default: it is shared with nobody. */
  readonly seat?: BudgetSeat | undefined;
  /** Called whenever the rate changed. */
  readonly onChange?: ((facts: RateFacts) => void) | undefined;
}

/**
 * Spaces the starts evenly, whatever the rate is at the time and among however many it is divided. undefined: there is no rate to hold.
 * @throws UsageError for a rate that is not above 0
 */
export function createRateKeeper(options: RateKeeperOptions): RateKeeper | undefined {
  const { rate, concurrency, clock, seat, onChange } = options;
  const given = spacingOf(rate, concurrency);
  if (given === undefined || rate === undefined) return undefined;
  const schedule = seat ?? createOwnSchedule(clock);
  let state = firstRate(rate, clock.now());
  const spacing = () => spacingOf(state.rate, concurrency) ?? given;
  const facts = (): RateFacts => ({
    given: rate,
    rate: state.rate,
    slowedBy: state.slowedBy,
    sharers: seat?.sharers ?? 1,
  });
  return {
    facts,
    claim: () => schedule.claim(spacing()),
    started: () => schedule.started(),
    heed(event) {
      const before = state.rate;
      state = adapt(state, event);
      if (state.rate !== before) onChange?.(facts());
    },
    close: () => seat?.leave(),
  };
}
