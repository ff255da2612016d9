import type { StageTime } from "../stage-book.js";

/**
 * Milliseconds that a stage still takes at the pace that it had so far, pauses apart; null: that can't be told, since its end is not known or nothing of
 * it is done. 0: it is done.
 */
export function timeLeft(
  { started, done, total }: Pick<StageTime, "started" | "done" | "total">,
  now: number,
  paused: (from: number, to: number) => number,
): number | null {
  if (total === null) return null;
  if (done >= total) return 0;
  if (done === 0) return null;
  const elapsed = Math.max(0, now - started - paused(started, now));
  return ((total - done) * elapsed) / done;
}
