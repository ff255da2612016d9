import { performance } from "node:perf_hooks";
import type { RateFacts } from "../../service/http/request-rate.js";
import type { QueueUse, TimeSpent } from "../../service/http/request-statistics.js";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { createStageTracker, runTimeLeft } from "../../web/report/stages.js";
import { clockTime, size } from "./words.js";

export interface StagePace {
  /** Items a second; null: too little is known. */
  readonly rate: number | null;
  /**
   * Seconds until it is done, at this rate, as far as its total or an estimate of it is known;
   * null: neither is, or it is done.
   */
  readonly left: number | null;
}

type MeasurePace = (event: ProgressEvent) => StagePace;

interface Sample {
  readonly at: number;
  readonly done: number;
  /** Without what was passed over, which says nothing of the pace. */
  readonly worked: number;
}

/**
 * Milliseconds: a large item does not make the rate jump, and a site that slows down shows soon.
 */
const WINDOW = 60_000;
/** Milliseconds between samples; over less a rate says nothing either. */
const EVERY = 1000;

/**
 * Over the last minute of each stage; of one that is done over all of it. What was passed over is
 * no part of the pace.
 */
export function createPaceMeasure(now: () => number = () => Date.now()): MeasurePace {
  const stages = new Map<Stage, { readonly first: Sample; samples: readonly Sample[] }>();
  return ({ stage, done, total, estimate, skipped = 0, toDo }) => {
    const sample = { at: now(), done, worked: done - skipped };
    const known = stages.get(stage) ?? { first: sample, samples: [sample] };
    // A stage that begins again, since a run may load twice, is measured anew.
    const book = done < (known.samples.at(-1)?.done ?? 0) ? { first: sample, samples: [sample] } : known;
    // The pace begins with the first thing that is done, not with what is passed over before it.
    if (sample.worked === 0) book.samples = [sample];
    book.samples = [...book.samples.filter(({ at }) => sample.at - at <= WINDOW), ...due(book.samples, sample)];
    stages.set(stage, book);
    const isOver = done === total;
    const rate = rateSince(isOver ? book.first : (book.samples[0] ?? sample), sample);
    const ahead = toDo ?? (total ?? estimate ?? 0) - done;
    return { rate, left: isOver || ahead <= 0 || rate === null || rate === 0 ? null : ahead / rate };
  };
}

function due(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  return last === undefined || sample.at - last.at >= EVERY ? [sample] : [];
}

function rateSince(from: Sample, to: Sample): number | null {
  const elapsed = to.at - from.at;
  return elapsed < EVERY ? null : ((to.worked - from.worked) * 1000) / elapsed;
}

interface RunClock {
  note(event: ProgressEvent): void;
  /** Seconds; null: nothing can be said yet, or the run has one stage only. */
  left(): number | null;
}

export function createRunClock(now: () => number = () => Date.now()): RunClock {
  const book = createStageTracker(now());
  return {
    note: (event) => book.note(event, now()),
    left: () => {
      const stages = book.stages();
      if (!stages.some(({ follows }) => Object.keys(follows).length > 0)) return null;
      const left = runTimeLeft(stages, now(), () => 0);
      return left === null ? null : left / 1000;
    },
  };
}

/** `about 12:30 left in all`; "": nothing can be said. */
export function describeRunTimeLeft(clock: RunClock): string {
  const left = clock.left();
  return left === null || left < 1 ? "" : `about ${clockTime(left)} left in all`;
}

/** `4.2/s`, `12/min`. */
function paceText(perSecond: number): string {
  return perSecond < 1 ? `${rounded(perSecond * 60)}/min` : `${rounded(perSecond)}/s`;
}

export function stageTexts(event: ProgressEvent, { rate, left }: StagePace): Readonly<Record<StageText, string>> {
  return {
    bytes: event.bytes === undefined ? "" : size(event.bytes),
    rate: rate === null || rate === 0 ? "" : paceText(rate),
    left: left === null ? "" : `${event.total === null ? "about " : ""}${clockTime(left)} left`,
    failed: event.failed === 0 ? "" : `${event.failed} failed`,
  };
}
export type StageText = "bytes" | "rate" | "left" | "failed";

/** `9.8 of 10 requests/s at site.example`, one after the other; "": nobody is asked. */
export function describeSites(sites: readonly SitePace[]): string {
  return sites
    .filter(({ perSecond }) => perSecond > 0)
    .map(({ origin, perSecond, limit }) => {
      const of = limit === null ? "" : ` of ${rounded(limit)}`;
      return `${rounded(perSecond)}${of} requests/s at ${new URL(origin).host}`;
    })
    .join(", ");
}

function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(2)));
}

export type LookAtQueues = () => readonly QueueUse[];

export interface LimitsWatch {
  watch(look: LookAtQueues): void;
  /** Of the last second or so; null: nobody is asked, or nothing can be said yet. */
  limits(): Limits | null;
  /** How fast each site was asked in the same time; none: as with `limits`. */
  sites(): readonly SitePace[];
}

interface SitePace {
  readonly origin: string;
  /** Requests, repetitions too. */
  readonly perSecond: number;
  /** Requests a second that may go out at the moment; null: no limit. */
  readonly limit: number | null;
}

/** Milliseconds: less says more of chance than of the run. */
const LOOK_EVERY = 1000;

/** `worked`: the share of its time that the program worked since it was asked last. */
export function createLimitsWatch(now: () => number = () => Date.now(), worked = shareWorked()): LimitsWatch {
  const looks = new Map<LookAtQueues, readonly QueueUse[]>();
  let lookedAt = now();
  let last: Limits | null = null;
  let paces: readonly SitePace[] = [];

  function sinceLast(): readonly QueueUse[] {
    return [...looks].flatMap(([look, before]) => {
      const uses = look().filter(({ isClosed }) => isClosed !== true);
      if (uses.length === 0 && before.length > 0) looks.delete(look);
      else looks.set(look, uses);
      return uses.map((use) => since(use, before));
    });
  }

  function lookAgain(): void {
    const elapsed = now() - lookedAt;
    // Also when the clock was set back.
    if (Math.abs(elapsed) < LOOK_EVERY) return;
    const uses = sinceLast();
    const busy = worked();
    last = uses.length === 0 ? null : limitsOf(uses, busy);
    paces = elapsed < 0 ? [] : uses.map((use) => paceOf(use, elapsed));
    lookedAt = now();
  }

  return {
    watch: (look) => void looks.set(look, look()),
    limits() {
      lookAgain();
      return last;
    },
    sites() {
      lookAgain();
      return paces;
    },
  };
}

/**
 * Two bursts fall into a look that is a little longer than a second; in none is the limit exceeded.
 */
function paceOf({ origin, starts, rate }: QueueUse, elapsed: number): SitePace {
  const limit = rate?.rate ?? null;
  return { origin, perSecond: Math.min((starts * 1000) / elapsed, limit ?? Number.POSITIVE_INFINITY), limit };
}

function shareWorked(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

function since(use: QueueUse, before: readonly QueueUse[]): QueueUse {
  const earlier = before.find(({ origin }) => origin === use.origin);
  if (earlier === undefined) return use;
  return {
    ...use,
    held: use.held - earlier.held,
    paused: use.paused - earlier.paused,
    byHand: use.byHand - earlier.byHand,
    answering: use.answering - earlier.answering,
    idle: use.idle - earlier.idle,
    starts: use.starts - earlier.starts,
  };
}

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
 * Share of the time. Where a rate holds things up at all, faster answers would only be held up
 * longer: the rate it is, although most of the time goes into answers. This much may be chance.
 */
const HELD = 0.1;
/** Below this nothing was asked for most of the time. */
const ANSWERING = 0.5;
/**
 * Share of its time that the program worked. Answers that wait to be read then look slow, and are
 * not.
 */
const BUSY = 0.8;

/**
 * `uses`: how each queue spent the measured time. `busy`: the share of it that the program itself
 * worked.
 */
export function limitsOf(uses: readonly QueueUse[], busy: number): Limits {
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
