import { cpuTime } from "../../helpers/cpu-time.js";

const SMALL = 10_000;
const LARGE = 80_000;

/** Squared time would grow 64-fold from small to large; 24 leaves room for a busy machine. */
export const MOST_GROWTH = 24;

/**
 * How many times longer a text of eight times as many pieces takes. Other work on the machine can
 * spoil a measurement, but makes no squared time look linear: the best of five counts.
 */
export function growthOf(work: (text: string) => void, piece: string, tail: string): number {
  let least = growth(work, piece, tail);
  for (let attempt = 1; attempt < 5 && least > MOST_GROWTH; attempt += 1) {
    least = Math.min(least, growth(work, piece, tail));
  }
  return least;
}

/** What is done in a few milliseconds measures the clock, not the work. */
function growth(work: (text: string) => void, piece: string, tail: string): number {
  const [small, large] = [SMALL, LARGE].map((size) =>
    timeOf(work, piece.repeat(Math.ceil(size / piece.length)) + tail),
  );
  return (large ?? 0) / Math.max(small ?? 0, 5);
}

/** Milliseconds of processor time. */
function timeOf(work: (text: string) => void, text: string): number {
  const start = cpuTime();
  work(text);
  return cpuTime() - start;
}
