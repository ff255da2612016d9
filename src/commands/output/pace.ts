import { performance } from "node:perf_hooks";
import type { RateFacts } from "../../service/http/request-rate.js";
import type { QueueUse, TimeSpent } from "../../service/http/request-statistics.js";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { createStageTracker, runTimeLeft, type StageTime } from "../../web/report/stages.js";
import { clockTime, size } from "./words.js";

export interface StagePace {
  /** Items a second; null: too little is known. */
  readonly rate: number | null;
  /** Seconds to its end at this rate; null: it is done, or has neither a total nor an estimate. */
  readonly left: number | null;
}

type MeasurePace = (event: ProgressEvent) => StagePace;

interface Sample {
  readonly at: number;
  readonly done: number;
  /** Without skipped items, which say nothing about the pace. */
  readonly worked: number;
}

/** Milliseconds: long enough for large items, short enough to show a site that slows down. */
const WINDOW = 60_000;
/** Milliseconds between samples, and the shortest time for a rate. */
const EVERY = 1000;

/** The pace of each stage over the last minute, or of a finished one over its whole time. */
export function createPaceMeasure(now: () => number = () => Date.now()): MeasurePace {
  const stages = new Map<Stage, { readonly first: Sample; samples: readonly Sample[] }>();
  return ({ stage, done, total, estimate, skipped = 0, toDo }) => {
    const sample = { at: now(), done, worked: done - skipped };
    const known = stages.get(stage) ?? { first: sample, samples: [sample] };
    // A run may load twice: a stage that starts again is measured from its new start.
    const book = done < (known.samples.at(-1)?.done ?? 0) ? { first: sample, samples: [sample] } : known;
    // The pace starts with the first item that is done, after the skipped ones.
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

export interface RunClock {
  note(event: ProgressEvent): void;
  /** In the order of their beginnings. */
  stages(): readonly StageTime[];
  /** Seconds since the run began. */
  elapsed(): number;
  /** Seconds to the end of the run; null: not known yet. */
  left(): number | null;
  /** The same for a run of several stages; null also for one of a single stage. */
  leftInAll(): number | null;
}

/** It starts with the first event. */
export function createRunClock(now: () => number = () => Date.now()): RunClock {
  let began: number | undefined;
  let book = createStageTracker(now());
  const left = (): number | null => {
    const time = runTimeLeft(book.stages(), now(), () => 0);
    return time === null ? null : time / 1000;
  };
  return {
    note: (event) => {
      if (began === undefined) {
        began = now();
        book = createStageTracker(began);
      }
      book.note(event, now());
    },
    stages: () => book.stages(),
    elapsed: () => (began === undefined ? 0 : Math.max(0, now() - began) / 1000),
    left: () => (book.stages().length === 0 ? null : left()),
    leftInAll: () => (book.stages().some(({ follows }) => Object.keys(follows ?? {}).length > 0) ? left() : null),
  };
}

/** `about 12:30 left in total`; "": not known. */
export function describeRunTimeLeft(clock: RunClock): string {
  const left = clock.leftInAll();
  return left === null || left < 1 ? "" : `about ${clockTime(left)} left in total`;
}

/** `0:14, about 2:40 left`. */
export function describeRunTime(clock: RunClock): string {
  const left = clock.left();
  return `${clockTime(clock.elapsed())}, ${left === null ? "time left not known yet" : `about ${clockTime(left)} left`}`;
}

/** The part of its time that the run has behind it, 0 to 1; 0: not known yet. */
export function shareOfRun(clock: RunClock): number {
  const [elapsed, left] = [clock.elapsed(), clock.left()];
  return left === null || elapsed + left === 0 ? 0 : elapsed / (elapsed + left);
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
    failed: event.failed === 0 ? "" : `${event.failed} ${LEAVES_OUT.has(event.stage) ? "left out" : "failed"}`,
  };
}

/** Stages that write nothing: what they refuse is left out. */
const LEAVES_OUT: ReadonlySet<Stage> = new Set(["check", "plan"]);

export type StageText = "bytes" | "rate" | "left" | "failed";

/** `9.8 of 10 requests/s to site.example`, for each site; "": no requests. */
export function describeSites(sites: readonly SitePace[]): string {
  return sites
    .filter(({ perSecond }) => perSecond > 0)
    .map(({ origin, perSecond, limit }) => {
      const of = limit === null ? "" : ` of ${rounded(limit)}`;
      return `${rounded(perSecond)}${of} requests/s to ${new URL(origin).host}`;
    })
    .join(", ");
}

function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(2)));
}

export type LookAtQueues = () => readonly QueueUse[];

export interface LimitsWatch {
  watch(look: LookAtQueues): void;
  /** Over about the last second; null: no requests, or not known yet. */
  limits(): Limits | null;
  /** The requests to each site in the same time; none: as with `limits`. */
  sites(): readonly SitePace[];
}

interface SitePace {
  readonly origin: string;
  /** Requests, retries included. */
  readonly perSecond: number;
  /** The current limit in requests a second; null: no limit. */
  readonly limit: number | null;
}

/** Milliseconds: a shorter time shows chance. */
const LOOK_EVERY = 1000;

/** `worked`: the share of time that the program was busy since the last call. */
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
    // The clock may have been set back.
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

/** A look of a little over a second may see two bursts, although neither exceeds the limit. */
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
  /** `pause`: a site asked for a pause; `person`: somebody paused the run. */
  readonly by: "rate" | "pause" | "person" | "answers" | "own work";
  /** The site that the run waits for; null: none. */
  readonly origin: string | null;
  /** null: no limit. */
  readonly rate: RateFacts | null;
  /** The median time of an answer, in milliseconds; null: no answer. */
  readonly latency: number | null;
}

/**
 * A share of the time, above chance. Where the rate delays requests, faster answers would only wait
 * longer: the rate is the limit, even if most of the time goes into answers.
 */
const HELD = 0.1;
/** Below this share, there were no requests for most of the time. */
const ANSWERING = 0.5;
/** A share of the time. A program this busy reads answers late: they only look slow. */
const BUSY = 0.8;

/** `uses`: how each queue spent the measured time; `busy`: the share that the program worked. */
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

/** After a resume the other limits are shown at once. */
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
    pause: () => `a pause that ${host} asked for`,
    person: () => "a pause in the live page",
    answers: () => `the answer time of ${host}${limits.latency === null ? "" : ` (${Math.round(limits.latency)} ms)`}`,
    "own work": () => "this machine",
  };
  return `limited by ${texts[limits.by]()}`;
}

const REASONS = { refusal: " after a 429", latency: " because answers became slow" };

function describeRate({ given, rate, slowedBy, sharers }: RateFacts): string {
  const slowed = slowedBy === null ? "" : ` of ${perSecond(given)}${REASONS[slowedBy]}`;
  return `${perSecond(rate)}${slowed}${sharers === 1 ? "" : `, shared by ${sharers} runs`}`;
}

function perSecond(rate: number): string {
  return `${Number(rate.toPrecision(2))}/s`;
}
