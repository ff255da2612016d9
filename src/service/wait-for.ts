import { onAbort } from "./on-abort.js";

/** Waits for what others wait for too: an aborted signal ends this wait, not the work. */
export function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const forget = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(forget);
  });
}
