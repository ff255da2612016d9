import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Garbage that may pile up, in bytes. */
const GARBAGE = 40e6;
/** Milliseconds. */
const LOOKED_AT_EVERY = 1000;

/**
 * Keeps the memory of this process near what it needs, until `stop`. On a machine with much of it V8 lets garbage pile up to several times
 * that, and the nightly run of a small server would push out what works there by day.
 */
export function keepLean(): { stop(): void } {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  let needed = used();
  const look = (): void => {
    if (typeof collect !== "function" || used() < needed + GARBAGE) return;
    collect();
    needed = used();
  };
  const timer = setInterval(look, LOOKED_AT_EVERY).unref();
  return { stop: () => clearInterval(timer) };
}

function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
