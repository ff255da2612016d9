import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { WorkspaceError } from "../../core/errors.js";
import type { PauseState } from "../../service/http/pause.js";
import type { QueueUse } from "../../service/http/request-statistics.js";
import type { ProgressEvent } from "../../sync/control.js";
import { createStageBook, type StageTime, stageTimeSchema } from "./stages.js";

/** Gives how the queues of one site fare, also when its connections are closed. */
type LookAtQueues = () => readonly QueueUse[];

/** What a run did over time. */
export interface RunCourse {
  readonly stages: readonly StageTime[];
  readonly timeline: Timeline;
}

/** Looks at a run while it is on. Small, however long that takes. */
interface RunWatch {
  progress(event: ProgressEvent): void;
  /** Looks at these queues too from now on. */
  watch(look: LookAtQueues): void;
  course(): RunCourse;
  /** A last look; no timer is left behind. */
  close(): void;
}

/** Milliseconds: as long as the first buckets of a timeline. */
const LOOK_EVERY = 1000;
/** A machine may sleep for days. */
const MOST_PARTS = 600;

export function createRunWatch(now: () => number = () => Date.now()): RunWatch {
  // Buckets are seconds of the clock: a rate that holds in any second holds in each of them.
  const from = Math.floor(now() / 1000) * 1000;
  const stages = createStageBook(now());
  const timeline = createTimelineBook(from);
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
    // What else is seen now happened since the look before.
    const since = (what: "refusals" | "held" | "paused" | "byHand"): number => use[what] - (before?.[what] ?? 0);
    add(now() - LOOK_EVERY / 2, { refusals: since("refusals") });
    // A look that comes late must not make a second longer than it is.
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.round((now() - lookedAt) / LOOK_EVERY)));
    const part = { held: since("held") / parts, paused: since("paused") / parts, byHand: since("byHand") / parts };
    for (let place = 0; place < parts; place += 1) add(now() - LOOK_EVERY * (place + 0.5), part);
    return use;
  }

  const timer = setInterval(look, LOOK_EVERY);
  // Whoever is watched decides when it is over.
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
  /** Requests that went out. */
  starts: z.number(),
  /** Of the answers those that refused for being too many: 429, and 503 with Retry-After. */
  refusals: z.number(),
  /** Milliseconds in which something could have gone out, had the rate allowed it. */
  held: z.number(),
  /** Milliseconds of the pauses that the site asked for; of older runs they are in `held`. */
  paused: z.number().default(0),
  /** Milliseconds in which a person had paused the run. */
  byHand: z.number().default(0),
  /** The highest rate that held then, in requests a second; null: no limit. */
  rate: z.number().nullable(),
});
export type Bucket = Readonly<z.infer<typeof bucketSchema>>;

/** What went out over a run, origin by origin, in buckets of equal length. */
export const timelineSchema = z.object({
  /** UNIX milliseconds of the first bucket's beginning. */
  from: z.number(),
  /** Milliseconds of a bucket. */
  length: z.number().int().positive(),
  origins: z
    .array(
      z.object({
        origin: z.string(),
        /** Requests a second that a person allowed; null: no limit. */
        given: z.number().nullable(),
        buckets: z.array(bucketSchema).readonly(),
      }),
    )
    .readonly(),
});
export type Timeline = Readonly<z.infer<typeof timelineSchema>>;

/** Adds up what happens as it happens; small, however long a run takes. */
interface TimelineBook {
  /** At `at` (UNIX milliseconds), since the look before. */
  add(origin: string, at: number, given: number | null, what: Bucket): void;
  timeline(): Timeline;
}

/**
 * More would not be seen on a chart. An hour has buckets of eight seconds then, a weekend of four
 * minutes.
 */
const MOST = 600;
const FIRST_LENGTH = 1000;
/** Nothing went out. */
export const EMPTY_BUCKET: Bucket = { starts: 0, refusals: 0, held: 0, paused: 0, byHand: 0, rate: null };

/** `from`: UNIX milliseconds at which the run began. */
export function createTimelineBook(from: number): TimelineBook {
  let length = FIRST_LENGTH;
  const origins = new Map<string, { readonly given: number | null; buckets: Bucket[] }>();

  /** Neighbours become one, until the place is in reach. */
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
      // A clock that was set back must not lose what happened.
      const place = reach(Math.max(0, Math.floor((at - from) / length)));
      const book = origins.get(origin) ?? { given, buckets: [] };
      origins.set(origin, book);
      while (book.buckets.length <= place) book.buckets.push(EMPTY_BUCKET);
      book.buckets[place] = together(book.buckets[place] ?? EMPTY_BUCKET, what);
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
 * Milliseconds between two times (UNIX milliseconds) in which a person had paused the run, as
 * finely as its buckets tell.
 */
export function pausedByHand({ from, length, origins }: Timeline, begin: number, end: number): number {
  const places = Math.max(0, ...origins.map(({ buckets }) => buckets.length));
  let sum = 0;
  for (let place = 0; place < places; place += 1) {
    const start = from + place * length;
    const share = Math.max(0, Math.min(end, start + length) - Math.max(begin, start)) / length;
    // All sites stand together; one whose connections were closed meanwhile has less of it.
    if (share > 0) sum += share * Math.max(...origins.map(({ buckets }) => buckets[place]?.byHand ?? 0));
  }
  return sum;
}

const courseSchema = z.object({ stages: z.array(stageTimeSchema).readonly(), timeline: timelineSchema });

/**
 * Replaces the file; a reader sees the old or the new one. Not synced: a chart that is some seconds
 * old is no loss. Throws what the system says.
 */
export function writeCourse(file: string, course: RunCourse): void {
  writeFileSync(`${file}.new`, JSON.stringify(course), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * null: there is none. Throws WorkspaceError when what is there is none of this version, and what
 * the system says.
 */
export function readCourse(file: string): RunCourse | null {
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    return courseSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorkspaceError(`${file} is damaged, or of another version of guideferry.`, { cause });
  }
}

/** null: there is no such file. Throws what the system says. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** When a run was paused. */
export interface PauseTimes {
  /** Milliseconds of pause between two times, UNIX milliseconds. */
  within(from: number, to: number): number;
  /** UNIX milliseconds since when it is paused; null: it is not. */
  since(): number | null;
  /** Notes nothing any more. */
  close(): void;
}

/** Notes when a pause begins and ends; it is small, since people do that by hand. */
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
