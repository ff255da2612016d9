import type { QueueUse, TimeSpent } from "../../service/queue-use.js";
import type { RateFacts } from "../../service/rate-keeper.js";

/** What a run waits for most, and what is known of it. */
export interface Limits {
  /** `pause`: a site asked to wait; `person`: somebody paused the run. */
  readonly by: "rate" | "pause" | "person" | "answers" | "own work";
  /** Of what it waits for; null: no site. */
  readonly origin: string | null;
  /** null: without limit. */
  readonly rate: RateFacts | null;
  /** Milliseconds of an answer, in the middle; null: none came. */
  readonly latency: number | null;
}

/**
 * Share of the time. Where a rate holds things up at all, faster answers would only be held up longer: the rate it is, although most of
 * the time goes into answers. This much may be chance.
 */
const HELD = 0.1;
/** Below this nothing was asked for most of the time. */
const ANSWERING = 0.5;
/** Share of its time that the program worked. Answers that wait to be read then look slow, and are not. */
const BUSY = 0.8;

/** `uses`: how each queue spent the time that is judged. `busy`: share of it that the program itself worked. */
export function judgeLimits(uses: readonly QueueUse[], busy: number): Limits {
  if (uses.some((use) => shareOf(use, "byHand") >= PERSON)) return { ...OWN_WORK, by: "person" };
  const [held, paused] = [most(uses, "held"), most(uses, "paused")];
  const isPaused = paused !== undefined && shareOf(paused, "paused") >= HELD;
  if (isPaused && shareOf(paused, "paused") >= shareOf(held, "held")) return limitsBy("pause", paused);
  if (held !== undefined && shareOf(held, "held") >= HELD) return limitsBy("rate", held);
  const answering = most(uses, "answering");
  const waits = answering !== undefined && shareOf(answering, "answering") >= ANSWERING;
  return waits && busy < BUSY ? limitsBy("answers", answering) : OWN_WORK;
}

/** Once somebody lets the run go on, what it waits for then is told at once. */
const PERSON = 0.5;
const OWN_WORK: Limits = { by: "own work", origin: null, rate: null, latency: null };

function limitsBy(by: Limits["by"], { origin, rate, latency }: QueueUse): Limits {
  return { by, origin, rate, latency };
}

function most(uses: readonly QueueUse[], what: keyof TimeSpent): QueueUse | undefined {
  return uses.toSorted((one, other) => shareOf(other, what) - shareOf(one, what))[0];
}

function shareOf(use: QueueUse | undefined, what: keyof TimeSpent): number {
  if (use === undefined) return 0;
  const total = use.held + use.paused + use.byHand + use.answering + use.idle;
  return total === 0 ? 0 : use[what] / total;
}

/** `limited by the rate of site.example (5/s of 10/s after a 429)`. */
export function describeLimits(limits: Limits): string {
  const host = limits.origin === null ? "" : new URL(limits.origin).host;
  const texts: Readonly<Record<Limits["by"], () => string>> = {
    rate: () => `the rate of ${host}${limits.rate === null ? "" : ` (${describeRate(limits.rate)})`}`,
    pause: () => `${host}, which asked to wait`,
    person: () => "a person, who paused it",
    answers: () => `the answers of ${host}${limits.latency === null ? "" : ` (${Math.round(limits.latency)} ms each)`}`,
    "own work": () => "our own work",
  };
  return `limited by ${texts[limits.by]()}`;
}

const REASONS = { refusal: " after a 429", latency: " since its answers became slow" };

function describeRate({ given, rate, slowedBy, sharers }: RateFacts): string {
  const slowed = slowedBy === null ? "" : ` of ${perSecond(given)}${REASONS[slowedBy]}`;
  return `${perSecond(rate)}${slowed}${sharers === 1 ? "" : `, shared by ${sharers} runs`}`;
}

function perSecond(rate: number): string {
  return `${Number(rate.toPrecision(2))}/s`;
}
