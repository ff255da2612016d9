import { systemClock } from "../../core/util/clock.js";
import { onAbort } from "../../core/util/concurrency.js";
import { DEFAULT_RATE } from "../http/stack.js";
import type { Ask, AskResult } from "./ask.js";
import type { RateFacts } from "./site-facts.js";

/**
 * Seconds that the probe lasts where the site answers at once, and the most requests that it sends.
 */
const SECONDS = 3;
const MOST = 30;
/** Starts a second where nothing limits them: on this machine. */
const UNLIMITED = 100;

/**
 * Reads one small list as fast as `rate` allows for some seconds, and measures. The first answer
 * that is not 200 ends it.
 */
export async function probeRate(ask: Ask, rate: number | null, signal: AbortSignal): Promise<RateFacts> {
  const perSecond = rate ?? UNLIMITED;
  const planned = Math.max(1, Math.min(MOST, Math.round((rate ?? DEFAULT_RATE) * SECONDS)));
  // What went before it must be out of the rate's window, or the queue would hold these back.
  if (rate !== null) await systemClock.sleep(1100, signal);
  const over = new AbortController();
  const forget = onAbort(signal, () => over.abort(signal.reason));
  const pending: Promise<AskResult | null>[] = [];
  for (let at = 0; at < planned && !over.signal.aborted; at += 1) {
    pending.push(timed(ask, over, signal));
    // A little more than the share of a second, as the queue's own window is.
    await systemClock.sleep(1020 / perSecond, signal);
  }
  const all = await Promise.all(pending);
  forget();
  return summed(
    all.filter((told) => told !== null),
    rate,
    planned,
  );
}

/** null: it was dropped, since another one ended the probe. */
async function timed(ask: Ask, over: AbortController, signal: AbortSignal): Promise<AskResult | null> {
  const started = performance.now();
  try {
    const told = await ask({ path: "guides?limit=1", tries: 1 }, over.signal);
    if (told.status !== 200) over.abort();
    return { ...told, took: performance.now() - started };
  } catch (error) {
    if (over.signal.aborted && !signal.aborted) return null;
    throw error;
  }
}

function summed(all: readonly AskResult[], rate: number | null, planned: number): RateFacts {
  const good = all.filter(({ status }) => status === 200);
  const times = good.map(({ took }) => took).toSorted((one, other) => one - other);
  const bad = all.find(({ status }) => status !== 200 && status !== 429);
  return {
    rate,
    planned,
    answered: good.length,
    median: shareOf(times, 0.5),
    slow: shareOf(times, 0.95),
    tooMany: all.flatMap(({ tooMany }) => tooMany)[0],
    trouble: bad === undefined ? null : (bad.message ?? `answered ${bad.status}`),
  };
}

/** The time that so large a share of them stays below. */
function shareOf(times: readonly number[], share: number): number {
  return Math.round(times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0);
}
