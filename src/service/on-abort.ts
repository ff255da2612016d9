const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal is aborted; the function that it gives takes that back. All callers share one listener: a
 * signal looks through all of its listeners whenever one is added, which takes minutes for a hundred thousand.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = listeners.get(signal) ?? register(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function register(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  listeners.set(signal, callbacks);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback();
      callbacks.clear();
    },
    { once: true },
  );
  return callbacks;
}
