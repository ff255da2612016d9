import { StoppedError } from "../../../errors.js";
import type { CommandCall } from "../../command.js";

/** Lets work go on for so many seconds; then it is asked to stop, as by a signal. null: as long as it takes. */
export async function within<T>(
  seconds: number | null,
  call: CommandCall,
  work: (call: CommandCall) => Promise<T>,
): Promise<T> {
  if (seconds === null) return work(call);
  const timer = new AbortController();
  const over = (): void => timer.abort(new StoppedError("--max-duration is over."));
  const running = setTimeout(over, Math.min(seconds * 1000, LONGEST));
  try {
    return await work({ ...call, stop: AbortSignal.any([call.stop, timer.signal]) });
  } finally {
    clearTimeout(running);
  }
}

/** Node's timers take no more, some 24 days. */
const LONGEST = 2 ** 31 - 1;
