/** What was frozen already, down to its leaves: parts of an item are shared by what was made of it. */
const done = new WeakSet<object>();

/** The value itself, frozen all through. Without recursion, since answers of a site may nest deep. */
export function deepFrozen<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || done.has(next)) continue;
    done.add(Object.freeze(next));
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return value;
}
