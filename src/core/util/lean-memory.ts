import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of garbage that may collect. */
const GARBAGE = 40e6;
/** Milliseconds. */
const LOOKED_AT_EVERY = 250;

/**
 * Keeps memory near what the process needs, until `stop`: V8 lets garbage grow to several times
 * that on a large machine. `collect`: for tests.
 */
export function keepLean(collect: () => void = collector()): { stop(): void } {
  let needed = used();
  const look = (): void => {
    if (used() < needed + GARBAGE) return;
    collect();
    needed = used();
  };
  const timer = setInterval(look, LOOKED_AT_EVERY).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Keeps V8 from growing the space for new objects to 32 MB (Node 20) or 128 MB (Node 24), which it
 * never returns, and from letting garbage grow to several times what is needed. Call it before much
 * is loaded. It costs at most 8 % more CPU time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}

/** V8's own collector, which Node exposes only on request. */
export function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => void collect() : () => undefined;
}

function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
