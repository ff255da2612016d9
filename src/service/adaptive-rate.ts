import { median } from "../core/util/median.js";

/** How fast a site is asked, and what that was learnt from. Starts a second; times are UNIX milliseconds. */
export interface RateState {
  /** What a person allows: never exceeded. */
  readonly given: number;
  readonly rate: number;
  /** Why it is below the given one; null: it is not. */
  readonly slowedBy: "refusal" | "latency" | null;
  /** The rate that was refused last, as long as it is of use. */
  readonly refusedAt: number | null;
  /** How slow the last answers of this look were: times their kind's usual latency. */
  readonly slowness: readonly number[];
  /** When this look began. */
  readonly since: number;
}

export type RateEvent =
  /** 429, or 503 with Retry-After; several that belong together are one. */
  | { readonly kind: "refused"; readonly at: number }
  /** `slowness`: times the usual latency; null: nothing can be said of this answer. */
  | { readonly kind: "answered"; readonly at: number; readonly slowness: number | null };

/** The numbers of the adaption, each with its reason. */
export const ADAPTION = {
  /** Milliseconds of a look: long enough for several answers at the usual rates, short enough to help within a minute. */
  look: 5000,
  /** What a refusal leaves: half, as TCP (RFC 5681, 3.1), since nobody says how far above its limit the site was asked. */
  refused: 0.5,
  /** Shares of the given rate that nothing goes below. A site may refuse for long; slow answers may have other causes than us, and a run must end. */
  refusedFloor: 0.1,
  slowFloor: 0.25,
  /** Answers are slow when half of them take twice as long as usual: a sound site's medians vary by less. */
  slow: 2,
  /** What a slow look leaves: less than a refusal takes, since slow answers are only a hint. */
  slowed: 0.8,
  /** Fewer answers than this say nothing of slowness. */
  evidence: 3,
  /** What a sound look brings back, as a share of the given rate: from the half to the whole in 50 seconds. */
  step: 0.05,
  /** The same near the rate that was refused last: it is felt for, not jumped over. */
  careful: 0.01,
  /** Near begins at this share of it, and ends, since the site takes more now, at that. */
  near: 0.9,
  past: 1.2,
  /** Answers that a look keeps: enough for a median. */
  kept: 64,
} as const;

export function firstRate(given: number, now: number): RateState {
  return { given, rate: given, slowedBy: null, refusedAt: null, slowness: [], since: now };
}

/** The state after something was seen of the site: fast down, slowly up. */
export function adapt(state: RateState, event: RateEvent): RateState {
  if (event.kind === "refused") return afterRefusal(state, event.at);
  const seen = event.slowness === null ? [] : [event.slowness];
  // A clock that was set back must not make one look last for hours.
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
