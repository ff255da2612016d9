import type { QueueUse } from "../../service/queue-use.js";
import type { ProgressEvent } from "../../sync/control.js";
import { createStageBook, type StageTime } from "./stage-book.js";
import { type Bucket, createTimelineBook, NOTHING, type Timeline } from "./timeline.js";

/** Gives how the queues of one site fare, also when its connections are closed. */
type LookAtQueues = () => readonly QueueUse[];

/** What a run did over time. */
export interface RunCourse {
  readonly stages: readonly StageTime[];
  readonly timeline: Timeline;
}

/** Looks at a run while it is on. Small, however long that takes. */
export interface RunWatch {
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
      timeline.add(origin, at, rate?.given ?? null, { ...NOTHING, rate: rate?.rate ?? null, ...what });
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
