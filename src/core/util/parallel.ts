/**
 * Runs `work` over everything that `inputs` gives, at most `width` at a time, drawing an input only when a place is free:
 * memory stays bounded whatever the length. After the first failure nothing new starts; what runs is awaited, then the
 * failure is thrown.
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
