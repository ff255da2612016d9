import type { ProgressEvent, Stage } from "../../sync/control.js";

/** How fast a stage goes. */
export interface StagePace {
  /** Items a second; null: too little is known. */
  readonly rate: number | null;
  /** Seconds until it is done, at this rate, as far as its total or an estimate of it is known; null: neither is, or it is done. */
  readonly left: number | null;
}

/** Measures the stages of a run. */
export type MeasurePace = (event: ProgressEvent) => StagePace;

interface Sample {
  readonly at: number;
  readonly done: number;
  /** Without what was passed over, which says nothing of the pace. */
  readonly worked: number;
}

/** Milliseconds: a large item does not make the rate jump, and a site that slows down shows soon. */
const WINDOW = 60_000;
/** Milliseconds between samples; over less a rate says nothing either. */
const EVERY = 1000;

/** Over the last minute of each stage; of one that is done over all of it. What was passed over is no part of the pace. */
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
