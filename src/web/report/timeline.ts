import { z } from "zod";

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
export interface TimelineBook {
  /** At `at` (UNIX milliseconds), since the look before. */
  add(origin: string, at: number, given: number | null, what: Bucket): void;
  timeline(): Timeline;
}

/** More would not be seen on a chart. An hour has buckets of eight seconds then, a weekend of four minutes. */
const MOST = 600;
const FIRST_LENGTH = 1000;
/** Nothing went out. */
export const NOTHING: Bucket = { starts: 0, refusals: 0, held: 0, paused: 0, byHand: 0, rate: null };

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
      while (book.buckets.length <= place) book.buckets.push(NOTHING);
      book.buckets[place] = together(book.buckets[place] ?? NOTHING, what);
    },
    timeline: () => ({
      from,
      length,
      origins: [...origins].map(([origin, { given, buckets }]) => ({ origin, given, buckets: [...buckets] })),
    }),
  };
}

function halved(buckets: readonly Bucket[]): Bucket[] {
  return buckets.flatMap((bucket, at) => (at % 2 === 0 ? [together(bucket, buckets[at + 1] ?? NOTHING)] : []));
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

/** Milliseconds between two times (UNIX milliseconds) in which a person had paused the run, as finely as its buckets tell. */
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
