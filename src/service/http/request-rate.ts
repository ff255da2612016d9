import { UsageError } from "../../core/errors.js";
import { type Clock, dueAfter, neverBack, nextStart, type Spacing } from "../../core/util/clock.js";

/** Starts per second if no rate is given; on loopback there is no limit. */
export const DEFAULT_RATE = 10;

export interface RateLimiter {
  /** Milliseconds until then; 0: it is counted, and must follow at once. */
  claim(): number;
  /** Call it at the start; call its result when the request is sent. */
  started(): () => void;
  adaptTo(event: RateEvent): void;
  /** Holds the starts of the other sharers too. */
  pauseFor(milliseconds: number): void;
  facts(): RateFacts;
  close(): void;
}

export interface RateFacts {
  /** Starts per second from the options; `rate` is never above. */
  readonly given: number;
  readonly rate: number;
  /** null: not slowed down. */
  readonly slowedBy: "refusal" | "latency" | null;
  readonly sharers: number;
}

interface RateLimiterOptions {
  readonly rate: number | undefined;
  /** No burst is larger. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Default: not shared. */
  readonly lease?: RateLease | undefined;
  readonly onChange?: ((facts: RateFacts) => void) | undefined;
}

/** undefined: no rate. Throws UsageError for a rate that is not above 0. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter | undefined {
  const { rate, concurrency, clock, lease, onChange } = options;
  const given = spacingOf(rate, concurrency);
  if (given === undefined || rate === undefined) return undefined;
  const schedule = lease ?? createOwnSchedule(clock);
  let state = firstRate(rate, clock.now());
  const spacing = () => spacingOf(state.rate, concurrency) ?? given;
  const changeTo = (next: RateState): void => {
    const before = state.rate;
    state = next;
    if (state.rate !== before) onChange?.(facts());
  };
  /** Takes over what another sharer adapted. */
  const follow = (): void => {
    const common = lease?.adapted?.();
    if (common === undefined) return;
    const { slowedBy, refusedAt } = common;
    changeTo({ ...firstRate(rate, clock.now()), rate: Math.min(rate, common.rate ?? rate), slowedBy, refusedAt });
  };
  const facts = (): RateFacts => ({
    given: rate,
    rate: state.rate,
    slowedBy: state.slowedBy,
    sharers: lease?.sharers ?? 1,
  });
  return {
    facts,
    claim: () => {
      follow();
      return schedule.claim(spacing());
    },
    started: () => schedule.started(),
    adaptTo(event) {
      follow();
      const next = adapt(state, event);
      if (next.rate !== state.rate) lease?.adapt?.(commonOf(next));
      changeTo(next);
    },
    pauseFor: (milliseconds) => lease?.pauseFor?.(milliseconds),
    close: () => lease?.leave(),
  };
}

function commonOf({ given, rate, slowedBy, refusedAt }: RateState): CommonRate {
  return { rate: rate === given ? null : rate, slowedBy, refusedAt };
}

/** Starts per second; times are UNIX milliseconds. */
export interface RateState {
  /** From the options: never exceeded. */
  readonly given: number;
  readonly rate: number;
  /** Why it is below the given rate; null: it is not. */
  readonly slowedBy: "refusal" | "latency" | null;
  /** The last refused rate, as long as it is useful. */
  readonly refusedAt: number | null;
  /** Latencies of the current interval, as multiples of the usual latency of their kind. */
  readonly slowness: readonly number[];
  readonly since: number;
}

export type RateEvent =
  /** 429, or 503 with Retry-After; several that belong together are one. */
  | { readonly kind: "refused"; readonly at: number }
  /** `slowness`: multiple of the usual latency; null: unknown. */
  | { readonly kind: "answered"; readonly at: number; readonly slowness: number | null };

export const ADAPTION = {
  /** Milliseconds of an interval: several answers at usual rates. */
  look: 5000,
  /** Half, as TCP (RFC 5681, 3.1): the site does not show by how much its limit is exceeded. */
  refused: 0.5,
  /** The least share of the given rate: slow answers may have other causes, and a run must end. */
  refusedFloor: 0.1,
  slowFloor: 0.25,
  /** Answers are slow when the median doubles: a healthy site varies by less. */
  slow: 2,
  /** Less than after a refusal: slow answers are only a hint. */
  slowed: 0.8,
  /** Fewer answers than this show no slowness. */
  evidence: 3,
  /** Added after each good interval: from the half to the whole in 50 seconds. */
  step: 0.05,
  /** Smaller steps near the last refused rate, to find the limit and not to exceed it. */
  careful: 0.01,
  /** "Near" is between these two multiples of the refused rate. */
  near: 0.9,
  past: 1.2,
  kept: 64,
} as const;

export function firstRate(given: number, now: number): RateState {
  return { given, rate: given, slowedBy: null, refusedAt: null, slowness: [], since: now };
}

/** The state after an event: fast down, slowly up. */
export function adapt(state: RateState, event: RateEvent): RateState {
  if (event.kind === "refused") return afterRefusal(state, event.at);
  const seen = event.slowness === null ? [] : [event.slowness];
  // A clock that was set back must not make an interval last for hours.
  const since = Math.min(state.since, event.at);
  const looking = { ...state, slowness: [...state.slowness.slice(seen.length - ADAPTION.kept), ...seen], since };
  return event.at - since < ADAPTION.look ? looking : afterLook(looking, event.at);
}

function afterRefusal(state: RateState, now: number): RateState {
  const floor = Math.min(state.rate, state.given * ADAPTION.refusedFloor);
  const rate = Math.max(floor, state.rate * ADAPTION.refused);
  return { ...state, rate, slowedBy: "refusal", refusedAt: state.rate, slowness: [], since: now };
}

function afterLook(state: RateState, now: number): RateState {
  const next = { ...state, slowness: [], since: now };
  const isSlow = state.slowness.length >= ADAPTION.evidence && median(state.slowness) > ADAPTION.slow;
  if (!isSlow) return faster(next);
  const floor = Math.min(state.rate, state.given * ADAPTION.slowFloor);
  const rate = Math.max(floor, state.rate * ADAPTION.slowed);
  return { ...next, rate, slowedBy: state.slowedBy ?? "latency" };
}

function faster(state: RateState): RateState {
  const { given, rate, refusedAt } = state;
  const fast = rate + given * ADAPTION.step;
  const isNear = refusedAt !== null && fast > refusedAt * ADAPTION.near;
  const raised = isNear ? Math.max(rate + given * ADAPTION.careful, Math.min(fast, refusedAt * ADAPTION.near)) : fast;
  if (raised >= given) return { ...state, rate: given, slowedBy: null, refusedAt: null };
  return { ...state, rate: raised, refusedAt: isOutgrown(raised, refusedAt) ? null : refusedAt };
}

function isOutgrown(rate: number, refusedAt: number | null): boolean {
  return refusedAt !== null && rate > refusedAt * ADAPTION.past;
}

interface StartSchedule {
  /** Milliseconds until the next start; 0: it is counted, and must follow at once. */
  claim(spacing: Spacing): number;
  /**
   * Call it after `claim` allowed a start; call its result just before the request is sent. That
   * throws ConnectionError if the start came too late to count: then nothing may be sent.
   */
  started(): () => void;
}

/** Most starts in one second, as a share of the rate. */
const IN_SECOND = 1.05;
/** Spare milliseconds in one second and in ten, since the site counts arrivals. */
const MARGIN = 20;
/** Milliseconds of delay that one second makes up for. */
const PER_SECOND = 20;
/** Most milliseconds that can be made up for: a tenth of a second. */
const MOST_SLACK = 100;

/**
 * The spacing for a rate in starts per second: at most 1.05 times the rate arrive in any second
 * (rounded up for a fraction), and the rate itself in any ten seconds. 98.8 % of a rate from 20 on
 * remain, 98 % of others. undefined: no limit.
 *
 * @param concurrency no burst is larger
 *
 * @throws UsageError for a rate that is not above 0
 */
export function spacingOf(rate: number | undefined, concurrency: number): Spacing | undefined {
  if (rate === undefined || rate === Number.POSITIVE_INFINITY) return undefined;
  if (!(rate > 0)) throw new UsageError(`A rate of ${rate} requests a second sends no requests. Use a rate above 0.`);
  const most = Math.max(Math.ceil(rate), Math.floor(rate * IN_SECOND));
  const interval = Math.max((1000 + MARGIN) / most, (10_000 + MOST_SLACK + MARGIN) / (10 * rate));
  const second = Math.max(1000 + MARGIN, most * interval - PER_SECOND);
  // Late starts that may leave together: 1 + slack / interval, rounded down.
  const burst = Math.min(concurrency, Math.max(1, Math.floor(rate / 10)));
  return { interval, slack: Math.min(MOST_SLACK, burst * interval * 0.99), most, second };
}

export function createOwnSchedule(clock: Pick<Clock, "now">): StartSchedule {
  const now = neverBack(clock);
  // Times of the last starts; the next one replaces the oldest.
  const times: number[] = [];
  let count = 0;
  let due = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  return {
    claim(spacing) {
      const time = now();
      const wait = nextStart(due, times[(count - spacing.most) % KEPT], spacing) - time;
      const waited = isWaiting;
      isWaiting = wait > 0;
      if (isWaiting) return wait;
      due = dueAfter(due, time, waited, spacing);
      times[count % KEPT] = time;
      count += 1;
      return 0;
    },
    started() {
      const place = (count - 1) % KEPT;
      return () => {
        times[place] = now();
      };
    },
  };
}

/** Remembered starts: those of one second at the highest rate. */
const KEPT = 2048;

/** Divides the rate of an origin among all its processes: of this machine, or of a fleet. */
export interface SharedBudget {
  /**
   * It counts only while it is used.
   *
   * @param rate starts per second from the options
   */
  join(origin: string, rate: number): RateLease;
}

/** What the sharers of a rate adapt together; `rate` is null while it is not slowed down. */
export interface CommonRate extends Pick<RateState, "slowedBy" | "refusedAt"> {
  readonly rate: number | null;
}

/** One queue's share of a rate. All queues take their starts from one schedule, in turn. */
export interface RateLease extends StartSchedule {
  /** 1: not shared, or their number is unknown. */
  readonly sharers: number;
  /** What another sharer adapted since the last call. Absent: each adapts on its own. */
  adapted?(): CommonRate | undefined;
  /** Tells the other sharers. */
  adapt?(rate: CommonRate): void;
  /** Holds the starts of all sharers. */
  pauseFor?(milliseconds: number): void;
  leave(): void;
}

/** Of two in the middle the higher one. 0 for none. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
