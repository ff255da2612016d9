/** Those who wait, first come first served. */
export interface Line<T> {
  push(value: T): void;
  /** The one that waits longest, who leaves the line; undefined when nobody waits. */
  shift(): T | undefined;
}

// Array.shift moves everybody behind; a Set that is emptied from its front is searched through every time.
const SERVED = 1024;

export function createLine<T>(): Line<T> {
  let values: (T | undefined)[] = [];
  let first = 0;
  return {
    push: (value) => void values.push(value),
    shift() {
      const value = values[first];
      // Who left must not be kept alive by their place: each may hold a whole answer.
      if (first < values.length) values[first] = undefined;
      first = Math.min(first + 1, values.length);
      if (first > SERVED && first * 2 > values.length) {
        values = values.slice(first);
        first = 0;
      }
      return value;
    },
  };
}
