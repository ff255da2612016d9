/** Something that a test waits for. */
export interface Awaited {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** A promise, and what keeps it: `Promise.withResolvers` is not in Node 20. */
export function withResolvers(): Awaited {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}
