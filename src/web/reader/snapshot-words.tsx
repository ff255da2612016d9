import type { JSX } from "hono/jsx/jsx-runtime";
import { dayWords, momentWords, secondWords } from "../components/words.js";
import type { SnapshotFacts } from "./library.js";

type Times = readonly Pick<SnapshotFacts, "time">[];
type Time = Pick<SnapshotFacts, "time">;

/**
 * `20 November 2026, 03:00 UTC`, and `03:00:25` where another of the snapshots lies within the same
 * minute.
 */
export function snapshotMoment(all: Times, { time }: Time): string {
  return isAlone(all, time, momentWords) ? momentWords(time) : secondWords(time);
}

/** `20 November 2026`, with the time where another of the snapshots lies on the same day. */
export function snapshotDay(all: Times, own: Time): string {
  return isAlone(all, own.time, dayWords) ? dayWords(own.time) : snapshotMoment(all, own);
}

interface SnapshotTimeProps {
  /** The snapshots that the page may name. */
  readonly all: Times;
  readonly own: Time;
}

/** Renders nothing without a date. */
export function SnapshotTime({ all, own }: SnapshotTimeProps): JSX.Element | null {
  const words = snapshotMoment(all, own);
  return words === "" ? null : <time datetime={new Date(own.time * 1000).toISOString()}>{words}</time>;
}

/** Formatting all times costs much, so only times nearby are formatted. */
function isAlone(all: Times, own: number, words: (seconds: number) => string): boolean {
  const near = all.filter(({ time }) => time !== own && Math.abs(time - own) < DAY);
  return !near.some(({ time }) => words(time) === words(own));
}

const DAY = 24 * 60 * 60;
