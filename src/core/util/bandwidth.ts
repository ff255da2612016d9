import { type Clock, neverBack, systemClock } from "./clock.js";

/** Bytes a second for all transfers that share it. */
export interface Bandwidth {
  /**
   * The same bytes in the same order, in smaller pieces, each after its turn; the source is read no
   * further meanwhile. Transfers that share it take turns.
   *
   * @param onWait told the milliseconds of each wait before it begins: no silence of the other end
   *
   * @throws the signal's reason, or the error of the source
   */
  throttle(
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
    signal: AbortSignal,
    onWait?: (milliseconds: number) => void,
  ): AsyncGenerator<Buffer>;
}

/** Milliseconds that late timers may make up for: a hundredth of ten seconds. */
const SLACK = 100;
/** Milliseconds that are too short for a timer; they count at the next turn. */
const SHORTEST_WAIT = 2;
/** Turns a second, so that transfers flow evenly beside each other. */
const TURNS = 50;
const SMALLEST_PIECE = 256;

/** null: no limit. */
export function bandwidthOf(limit: number | null): Bandwidth | undefined {
  return limit === null ? undefined : createBandwidth(limit);
}

/**
 * No span of a second or more has more than the limit and a tenth of a second's bytes.
 *
 * @param limit bytes a second, at least 1
 */
export function createBandwidth(limit: number, clock: Clock = systemClock): Bandwidth {
  const now = neverBack(clock);
  const largestPiece = Math.max(SMALLEST_PIECE, Math.floor(limit / TURNS));
  // When the bytes of all turns so far have passed.
  let due = now();

  async function turn(bytes: number, signal: AbortSignal, onWait: (milliseconds: number) => void): Promise<void> {
    const time = now();
    due = Math.max(due, time - SLACK) + (bytes * 1000) / limit;
    const wait = due - time;
    if (wait < SHORTEST_WAIT) return;
    onWait(wait);
    await clock.sleep(wait, signal);
  }

  return {
    async *throttle(pieces, signal, onWait = () => undefined) {
      for await (const piece of pieces) {
        for (let at = 0; at < piece.length; at += largestPiece) {
          const part = piece.subarray(at, at + largestPiece);
          await turn(part.length, signal, onWait);
          yield part;
        }
      }
    },
  };
}
