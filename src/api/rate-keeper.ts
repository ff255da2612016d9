import type { Clock } from "../util/clock.js";
import { adapt, firstRate, type RateEvent } from "./adaptive-rate.js";
import { createStarts, paceOf } from "./pace.js";
import type { BudgetSeat } from "./shared-budget.js";

/** Knows when the next request to an origin may start. */
export interface RateKeeper {
  /** Milliseconds until then; 0: now. The start has to follow at once, and `started` with it. */
  wait(): number;
  started(): void;
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
  readonly clock: Clock;
  /** Default: it is shared with nobody. */
  readonly seat?: BudgetSeat | undefined;
  /** Called whenever the rate changed. */
  readonly onChange?: ((facts: RateFacts) => void) | undefined;
}

const ALONE = { sharers: 1, wait: 0 };

/**
 * Holds the rate in every window, whatever it is at the time and among however many it is divided. undefined: there is no rate to hold.
 * @throws UsageError for a rate that is not above 0
 */
export function createRateKeeper({ rate, clock, seat, onChange }: RateKeeperOptions): RateKeeper | undefined {
  const given = paceOf(rate);
  if (given === undefined || rate === undefined) return undefined;
  const starts = createStarts(given.starts);
  let state = firstRate(rate, clock.now());
  let sharers = 1;
  const facts = (): RateFacts => ({ given: rate, rate: state.rate, slowedBy: state.slowedBy, sharers });
  return {
    facts,
    wait() {
      const share = seat?.share(given.window) ?? ALONE;
      sharers = share.sharers;
      return Math.max(share.wait, starts.wait(paceOf(state.rate / sharers) ?? given, clock.now()));
    },
    started() {
      starts.add(clock.now());
      seat?.started();
    },
    heed(event) {
      const before = state.rate;
      state = adapt(state, event);
      if (state.rate !== before) onChange?.(facts());
    },
    close: () => seat?.leave(),
  };
}
