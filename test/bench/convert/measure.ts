import { cpuTime } from "../../helpers/cpu-time.js";
import type { Contender, Operation } from "./contender.js";

/** How fast one contender was. */
export interface Speed {
  readonly name: string;
  /** Megabytes of UTF-8 in a second of processor time: the median of the rounds. */
  readonly median: number;
  /** How far apart the middle half of the rounds lies, as a share of the median. */
  readonly spread: number;
}

/** Odd, so that the median is one of them. */
const ROUNDS = 7;

/** A round takes about this many milliseconds, so that the clock's steps do not count. */
const ROUND_TIME = 40;

/** Trees for this many runs are ready before a round; more would fill the memory. */
const MOST_RUNS = 40;

const WARM_UP_TIME = 600;
const LEAST_WARM_UP_RUNS = 2;

/**
 * Measures the contenders in turns, so that what else the machine does, and its heat, meets all of
 * them alike.
 */
export function measure({ contenders }: Operation): readonly Speed[] {
  const starters = contenders.map((contender) => ({ contender, runs: warmUp(contender), times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { contender, runs, times } of starters) times.push(timeOf(contender, runs) / runs);
  }
  return starters.map(({ contender, times }) => speedOf(contender, times));
}

/**
 * Runs a contender until the compiler has done its work; gives how often it is to run in a round.
 */
function warmUp(contender: Contender): number {
  const start = cpuTime();
  let last = 0;
  for (let run = 0; run < LEAST_WARM_UP_RUNS || cpuTime() - start < WARM_UP_TIME; run += 1) last = timeOf(contender, 1);
  return Math.min(Math.max(Math.round(ROUND_TIME / Math.max(last, 0.01)), 1), MOST_RUNS);
}

/** The last result is kept, so that no compiler leaves out work that nobody looks at. */
export let lastResult: unknown;

function timeOf({ prepare, run }: Contender, runs: number): number {
  const states = Array.from({ length: runs }, prepare);
  // What was prepared is not to be paid for while the clock runs.
  globalThis.gc?.();
  const start = cpuTime();
  for (const state of states) lastResult = run(state);
  return cpuTime() - start;
}

function speedOf({ name, text }: Contender, times: readonly number[]): Speed {
  const megabytes = Buffer.byteLength(text) / 1e6;
  const speeds = times.map((time) => megabytes / (time / 1000)).sort((one, other) => one - other);
  const at = (share: number): number => speeds[Math.floor((speeds.length - 1) * share)] ?? 0;
  return { name, median: at(0.5), spread: (at(0.75) - at(0.25)) / at(0.5) };
}
