import { createHash } from "node:crypto";
import type { Key } from "../core/model/key.js";

/** Whose turn it is to be read anew although nothing seems to have changed. */
export interface Turns {
  /** `readAt`: when the stored copy was read, UNIX seconds. */
  isDue(key: Key, readAt: number): boolean;
}

/** What is not asked otherwise has its turn once in so many complete extracts. */
export const DEFAULT_NIGHTS = 14;

export interface TurnOptions {
  /** Everything has its turn once in so many. */
  readonly nights: number;
  /** Complete extracts before this one. */
  readonly night: number;
  /** UNIX seconds at which this night's reading began, if need be in a run that was broken off: what was read since has had its turn. */
  readonly begun: number;
  /** UNIX seconds now. */
  readonly now: () => number;
}

/**
 * The share of one night: keys are spread evenly over the nights by their hash, so each has its turn exactly once in `nights` complete
 * extracts, and a run that goes on after another one was killed does not begin again. A copy that seems to be of the future was read when the
 * clock was wrong: nobody knows its age.
 */
export function createTurns({ nights, night, begun, now }: TurnOptions): Turns {
  return { isDue: (key, readAt) => readAt > now() || (readAt <= begun && placeOf(key) % nights === night % nights) };
}

function placeOf(key: Key): number {
  return createHash("sha256").update(key).digest().readUInt32BE(0);
}
