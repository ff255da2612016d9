import { z } from "zod";
import type { ProgressEvent } from "../../sync/control.js";

/** UNIX milliseconds: when the signs of others before it ended, for a stage tells of itself only when something of it is finished; and its last sign. */
const spanSchema = z.object({ started: z.number(), ended: z.number(), done: z.number(), failed: z.number() });
type Span = Readonly<z.infer<typeof spanSchema>>;

/** How a stage of a run went. A stage may come several times: what stands outside of `earlier` is of its last time. */
export const stageTimeSchema = spanSchema.extend({
  stage: z.string(),
  /** null: it was never known. */
  total: z.number().nullable(),
  /** What it might have come to while the total was not known; null: nobody could tell. */
  estimate: z.number().nullable().default(null),
  /** Of `done` those that were passed over, and of those ahead the ones that something is to be done for; see ProgressEvent. */
  skipped: z.number().default(0),
  toDo: z.number().nullable().default(null),
  /** UNIX milliseconds: the last sign before something was done that was not passed over; null: nothing was. */
  workedFrom: z.number().nullable().default(null),
  /** What may come after it, see ProgressEvent. */
  follows: z.record(z.string(), z.number()).default({}),
  /** Bytes that it moved; null: it moves none. */
  bytes: z.number().nullable(),
  /** The times before, in their order. */
  earlier: z.array(spanSchema).readonly().default([]),
});
export type StageTime = Readonly<z.infer<typeof stageTimeSchema>>;

/** Keeps when each stage was at work; small, however often they come. */
export interface StageBook {
  note(event: ProgressEvent, at: number): void;
  /** In the order of their beginnings. */
  stages(): readonly StageTime[];
}

/** More could not be told apart on a page. */
const MOST_TIMES = 20;

/** `from`: UNIX milliseconds at which the run began. */
export function createStageBook(from: number): StageBook {
  const stages = new Map<string, StageTime>();
  let last = { stage: "", at: from };
  return {
    note({ stage, done, total, estimate = null, failed, bytes = null, skipped = 0, toDo = null, follows = {} }, at) {
      const before = stages.get(stage);
      const isAgain = before !== undefined && begins(before, done, last.stage !== stage);
      const started = before === undefined || isAgain ? Math.min(last.at, at) : before.started;
      const earlier = isAgain ? bounded([...before.earlier, spanOf(before)]) : (before?.earlier ?? []);
      const known = isAgain ? null : (before?.workedFrom ?? null);
      const workedFrom = known ?? (done > skipped ? (isAgain || before === undefined ? started : before.ended) : null);
      last = { stage, at };
      const work = { skipped, toDo, workedFrom, follows };
      stages.set(stage, { stage, started, ended: at, done, total, estimate, failed, bytes, ...work, earlier });
    },
    stages: () => [...stages.values()],
  };
}

/** Stages that are at work together speak in turns; one that counts anew, or goes on behind its end after others, has come again. */
function begins({ done: before, total }: StageTime, done: number, othersSpoke: boolean): boolean {
  return done < before || (othersSpoke && total !== null && before >= total);
}

function spanOf({ started, ended, done, failed }: Span): Span {
  return { started, ended, done, failed };
}

function bounded(spans: readonly Span[]): readonly Span[] {
  const [one, other, ...rest] = spans;
  if (spans.length <= MOST_TIMES || one === undefined || other === undefined) return spans;
  return [
    { started: one.started, ended: other.ended, done: one.done + other.done, failed: one.failed + other.failed },
    ...rest,
  ];
}
