/** Asks at the first call only; every later one gets the same answer. A failure is forgotten, so that the next call asks anew. */
export function once<T>(ask: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let asked: Promise<T> | undefined;
  return (signal) => {
    asked ??= ask(signal).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}
