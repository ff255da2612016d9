import { setImmediate as turn } from "node:timers/promises";

/**
 * Runs `work` over all inputs, at most `width` at a time. It takes an input only when a place is
 * free, so memory is bounded. After the first failure nothing new starts; the failure is thrown
 * when the rest is done.
 */
export async function parallel<T>(
  inputs: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (input: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
  if (failures.length > 0) throw failures[0];
}

/**
 * For work whose promises wait for nothing: a loop over a whole site would keep signals, timers and
 * sockets waiting until its end. The returned function gives the next turn of the event loop once
 * `longest` milliseconds (50) have passed since the last one, else undefined, since a turn for each
 * read would take longer than the reads.
 */
export function turnsInTime(longest = 50): () => Promise<void> | undefined {
  let last = performance.now();
  let coming: Promise<void> | undefined;
  return () => {
    if (coming !== undefined || performance.now() - last < longest) return coming;
    coming = turn().then(() => {
      coming = undefined;
      last = performance.now();
    });
    return coming;
  };
}

/** Runs work with the same key one at a time, in order; work with other keys runs in parallel. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    // A tail only shows the end of a turn; its own caller gets the result.
    const tail = Promise.allSettled([result]).then(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back on abort; the returned function cancels that. All callers share one listener: a signal
 * searches its listeners at each addition, which takes minutes for a hundred thousand.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = listeners.get(signal) ?? register(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

/**
 * A controller that calls the callbacks of `onAbort` itself, for signals of short life: adding a
 * listener to a signal takes longer than creating it.
 */
export class AbortSource extends AbortController {
  readonly #callbacks = new Set<() => void>();

  constructor() {
    super();
    listeners.set(this.signal, this.#callbacks);
  }

  override abort(reason?: unknown): void {
    super.abort(reason);
    callAll(this.#callbacks);
  }
}

function register(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  listeners.set(signal, callbacks);
  signal.addEventListener("abort", () => callAll(callbacks), { once: true });
  return callbacks;
}

function callAll(callbacks: Set<() => void>): void {
  for (const callback of callbacks) callback();
  callbacks.clear();
}
