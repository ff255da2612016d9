import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { WorkspaceError } from "../../core/errors.js";
import type { PauseState } from "../../service/http/pause.js";
import type { QueueUse } from "../../service/http/request-statistics.js";
import type { ProgressEvent } from "../../sync/control.js";
import { createStageTracker, type StageTime, stageTimeSchema } from "./stages.js";

/** Also answers after its connections are closed. */
type LookAtQueues = () => readonly QueueUse[];

export interface RunCourse {
  readonly stages: readonly StageTime[];
  readonly timeline: Timeline;
}

/** Samples a running run; its memory is bounded. */
interface RunWatch {
  progress(event: ProgressEvent): void;
  /** Samples these queues too from now on. */
  watch(look: LookAtQueues): void;
  course(): RunCourse;
  /** Takes a last sample and stops the timer. */
  close(): void;
}

/** Milliseconds, the length of the first buckets of a timeline. */
const LOOK_EVERY = 1000;
/** Bounds the work after a sleep of the machine. */
const MOST_PARTS = 600;

export function createRunWatch(now: () => number = () => Date.now()): RunWatch {
  // Buckets start at seconds of the clock, so that a rate of any second holds in each of them.
  const from = Math.floor(now() / 1000) * 1000;
  const stages = createStageTracker(now());
  const timeline = createTimelineRecorder(from);
  let lookedAt = now();
  const looks = new Map<LookAtQueues, ReadonlyMap<string, QueueUse>>();
  const look = (): void => {
    for (const [queues, before] of looks) {
      const uses = queues();
      const noted = new Map(uses.map((use) => [use.origin, note(use, before.get(use.origin))]));
      if (uses.every(({ isClosed }) => isClosed === true)) looks.delete(queues);
      else looks.set(queues, noted);
    }
    lookedAt = now();
  };

  function note(use: QueueUse, before: QueueUse | undefined): QueueUse {
    const { origin, rate, startsBySecond } = use;
    const add = (at: number, what: Partial<Bucket>): void =>
      timeline.add(origin, at, rate?.given ?? null, { ...EMPTY_BUCKET, rate: rate?.rate ?? null, ...what });
    for (const [second, count] of startsBySecond) {
      const starts = count - (before?.startsBySecond.get(second) ?? 0);
      if (starts > 0) add(second * 1000, { starts });
    }
    // All else happened since the sample before.
    const since = (what: "refusals" | "held" | "paused" | "byHand"): number => use[what] - (before?.[what] ?? 0);
    add(now() - LOOK_EVERY / 2, { refusals: since("refusals") });
    // A late sample is spread over the seconds that it covers.
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.round((now() - lookedAt) / LOOK_EVERY)));
    const part = { held: since("held") / parts, paused: since("paused") / parts, byHand: since("byHand") / parts };
    for (let place = 0; place < parts; place += 1) add(now() - LOOK_EVERY * (place + 0.5), part);
    return use;
  }

  const timer = setInterval(look, LOOK_EVERY);
  // Does not keep the process alive.
  timer.unref();
  return {
    progress: (event) => stages.note(event, now()),
    watch: (queues) => void looks.set(queues, new Map()),
    course: () => {
      look();
      return { stages: stages.stages(), timeline: timeline.timeline() };
    },
    close: () => {
      clearInterval(timer);
      look();
    },
  };
}

const bucketSchema = z.object({
  /** Requests sent. */
  starts: z.number(),
  /** Answers 429, and 503 with Retry-After. */
  refusals: z.number(),
  /** Milliseconds in which requests waited for the rate. */
  held: z.number(),
  /** Milliseconds of pauses that the site asked for; older runs count them in `held`. */
  paused: z.number().default(0),
  /** Milliseconds of pauses by a person. */
  byHand: z.number().default(0),
  /** The highest rate, in requests a second; null: no limit. */
  rate: z.number().nullable(),
});
export type Bucket = Readonly<z.infer<typeof bucketSchema>>;

/** Requests over a run by origin, in buckets of equal length. */
export const timelineSchema = z.object({
  /** UNIX milliseconds of the first bucket's beginning. */
  from: z.number(),
  /** Milliseconds of a bucket. */
  length: z.number().int().positive(),
  origins: z
    .array(
      z.object({
        origin: z.string(),
        /** The rate set by a person, in requests a second; null: no limit. */
        given: z.number().nullable(),
        buckets: z.array(bucketSchema).readonly(),
      }),
    )
    .readonly(),
});
export type Timeline = Readonly<z.infer<typeof timelineSchema>>;

/** Sums events; its memory is bounded for runs of any length. */
interface TimelineRecorder {
  /** `at`: UNIX milliseconds. `what`: since the sample before. */
  add(origin: string, at: number, given: number | null, what: Bucket): void;
  timeline(): Timeline;
}

/** A chart shows no more. An hour has buckets of eight seconds, a weekend of four minutes. */
const MOST = 600;
const FIRST_LENGTH = 1000;
export const EMPTY_BUCKET: Bucket = { starts: 0, refusals: 0, held: 0, paused: 0, byHand: 0, rate: null };

/** `from`: UNIX milliseconds of the run's beginning. */
export function createTimelineRecorder(from: number): TimelineRecorder {
  let length = FIRST_LENGTH;
  const origins = new Map<string, { readonly given: number | null; buckets: Bucket[] }>();

  /** Merges neighbours until the place is in range. */
  function reach(place: number): number {
    let reached = place;
    while (reached >= MOST) {
      length *= 2;
      reached = Math.floor(reached / 2);
      for (const each of origins.values()) each.buckets = halved(each.buckets);
    }
    return reached;
  }

  return {
    add(origin, at, given, what) {
      // A clock that was set back must not lose events.
      const place = reach(Math.max(0, Math.floor((at - from) / length)));
      const known = origins.get(origin) ?? { given, buckets: [] };
      origins.set(origin, known);
      while (known.buckets.length <= place) known.buckets.push(EMPTY_BUCKET);
      known.buckets[place] = together(known.buckets[place] ?? EMPTY_BUCKET, what);
    },
    timeline: () => ({
      from,
      length,
      origins: [...origins].map(([origin, { given, buckets }]) => ({ origin, given, buckets: [...buckets] })),
    }),
  };
}

function halved(buckets: readonly Bucket[]): Bucket[] {
  return buckets.flatMap((bucket, at) => (at % 2 === 0 ? [together(bucket, buckets[at + 1] ?? EMPTY_BUCKET)] : []));
}

function together(one: Bucket, other: Bucket): Bucket {
  const rates = [one.rate, other.rate].filter((rate) => rate !== null);
  return {
    starts: one.starts + other.starts,
    refusals: one.refusals + other.refusals,
    held: one.held + other.held,
    paused: one.paused + other.paused,
    byHand: one.byHand + other.byHand,
    rate: rates.length === 0 ? null : Math.max(...rates),
  };
}

/**
 * Milliseconds of pauses by a person between two times (UNIX milliseconds), with the precision of
 * the buckets.
 */
export function pausedByHand({ from, length, origins }: Timeline, begin: number, end: number): number {
  const places = Math.max(0, ...origins.map(({ buckets }) => buckets.length));
  let sum = 0;
  for (let place = 0; place < places; place += 1) {
    const start = from + place * length;
    const share = Math.max(0, Math.min(end, start + length) - Math.max(begin, start)) / length;
    // A pause holds for all sites; closed connections have counted less of it.
    if (share > 0) sum += share * Math.max(...origins.map(({ buckets }) => buckets[place]?.byHand ?? 0));
  }
  return sum;
}

const courseSchema = z.object({ stages: z.array(stageTimeSchema).readonly(), timeline: timelineSchema });

/**
 * Replaces the file atomically, without fsync: the loss of some seconds of a chart is acceptable.
 * Throws errors of the disk.
 */
export function writeCourse(file: string, course: RunCourse): void {
  writeFileSync(`${file}.new`, JSON.stringify(course), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** null: no file. Throws WorkspaceError for another version, and errors of the disk. */
export function readCourse(file: string): RunCourse | null {
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    return courseSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorkspaceError(`${file} is damaged, or another version of guideferry wrote it.`, { cause });
  }
}

/** null: no such file. Throws errors of the disk. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

export interface PauseTimes {
  /** Milliseconds of pause between two times (UNIX milliseconds). */
  within(from: number, to: number): number;
  /** UNIX milliseconds; null: not paused. */
  since(): number | null;
  close(): void;
}

/** Records the pauses of a run; its memory is small, since people pause by hand. */
export function createPauseTimes(pause: PauseState, now: () => number = () => Date.now()): PauseTimes {
  const over: (readonly [from: number, to: number])[] = [];
  let since = pause.isPaused ? now() : null;
  const close = pause.onChange(() => {
    if (since !== null) over.push([since, now()]);
    since = pause.isPaused ? now() : null;
  });
  const spans = (): readonly (readonly [from: number, to: number])[] =>
    since === null ? over : [...over, [since, Number.POSITIVE_INFINITY]];
  return {
    within: (from, to) =>
      spans().reduce((sum, [begin, end]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0),
    since: () => since,
    close,
  };
}
