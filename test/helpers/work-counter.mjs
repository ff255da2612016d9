/*
 * Counts the work of a function: how often each block of code of this project and its libraries runs (V8's precise coverage),
 * and how many characters or elements the runtime's own searches and copies go over. The count is the same on every machine,
 * however busy. What a regular expression tries twice at one place is not counted.
 */
import { Session } from "node:inspector/promises";

let visited = 0;
/** The methods that are replaced while work is counted. */
const replaced = [];

/** Replaces a method by itself with a count of what it went over. */
function counted(prototype, name, costOf) {
  const original = prototype[name];
  const whole = Object.getOwnPropertyDescriptor(prototype, name);
  replaced.push(() => Object.defineProperty(prototype, name, whole));
  Object.defineProperty(prototype, name, {
    ...whole,
    value: function counting(...given) {
      const before = name === "exec" ? this.lastIndex : 0;
      const length = this.length;
      const result = Reflect.apply(original, this, given);
      visited += 1 + costOf(result, length, this, given[0], given[1], before);
      return result;
    },
  });
}

function replaceAll() {
  const found = (result, length, _self, _what, from = 0) => Math.max(0, (result < 0 ? length : result) - from);
  counted(String.prototype, "indexOf", found);
  counted(Array.prototype, "indexOf", found);
  counted(String.prototype, "lastIndexOf", (result, length) => (result < 0 ? length : length - result));
  counted(String.prototype, "includes", (result, length) => (result ? 0 : length));
  counted(Array.prototype, "includes", (result, length) => (result ? 0 : length));
  for (const name of ["split", "replaceAll", "trim", "toLowerCase", "normalize"])
    counted(String.prototype, name, (_, length) => length);
  for (const name of ["slice", "concat", "filter", "map", "flatMap", "toReversed", "toSorted", "sort", "join"]) {
    counted(Array.prototype, name, (result, length) => (Array.isArray(result) ? result.length : length));
  }
  for (const name of ["splice", "shift", "unshift"]) {
    const isSplice = name === "splice";
    counted(Array.prototype, name, (_, length, __, from = 0) => (isSplice ? Math.max(0, length - from) : length) / 8);
  }
  counted(RegExp.prototype, "exec", (result, _, self, text, __, before) => {
    if (self.sticky) return result === null ? 0 : result[0].length;
    const end = result === null ? String(text).length : result.index + result[0].length;
    return Math.max(0, end - (self.global ? before : 0));
  });
}

/** Begins to count. `workOf` runs a function and returns its work; `stop` ends the counting. */
export async function countWork() {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  replaceAll();
  const workOf = async (run) => {
    await session.post("Profiler.takePreciseCoverage");
    visited = 0;
    run();
    const natives = visited;
    const { result } = await session.post("Profiler.takePreciseCoverage");
    let blocks = 0;
    for (const { url, functions } of result) {
      if (url.includes("/test/")) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
    return Math.round(blocks + natives);
  };
  const stop = async () => {
    for (const putBack of replaced.splice(0)) putBack();
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  };
  return { workOf, stop };
}
