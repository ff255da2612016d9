import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
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
 * Keeps V8 from letting garbage grow to several times what is needed, and gives new objects a space
 * that never grows again. Call it before much is held.
 *
 * It begins after `delay` milliseconds, by default a second: V8 compiles with other flags than
 * before, and therefore cannot use the compiled code of Node's own modules any more. The start then
 * takes a sixth longer.
 *
 * @param limit `tight`: 8 MB for new objects, and less garbage from the start. A load takes a
 * twentieth more processor time with it. `usual`: 16 MB.
 */
export function keepHeapSmall(limit: keyof typeof NEW_SPACE = "usual", delay = 1000): void {
  setTimeout(() => {
    growNewSpace(NEW_SPACE[limit]);
    setFlagsFromString("--semi-space-growth-factor=1");
    setFlagsFromString("--heap-growing-percent=20");
    // V8 applies it from a collection on, and begins with a limit for large heaps.
    if (limit === "tight") collector()();
  }, delay).unref();
}

/** Bytes of each half of the space for new objects: what fits between collections. */
const NEW_SPACE = { tight: 8 * 2 ** 20, usual: 16 * 2 ** 20 } as const;
/** Arrays of 32 kB: more than V8 ever needs before it grows the space. */
const MOST_ARRAYS = 800;

/**
 * In the 1 MB that V8 begins with, what requests of the same time hold outlives each collection: a
 * load of many pictures spends a quarter of its CPU time there. The flag of the size has an effect
 * only before Node starts, but V8 grows the space when much of it outlives collections. It may have
 * doubled the space already, so the factor is what is missing: V8 never returns what is too much.
 */
function growNewSpace(wanted: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${Math.max(1, Math.round(wanted / newSpace()))}`);
  const held: unknown[] = [];
  while (newSpace() <= wanted / 2 && held.length < MOST_ARRAYS) held.push(new Array(4000).fill(0));
}

/** Bytes that fit into a half: its size without some headers. */
function newSpace(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return space === undefined ? NEW_SPACE.usual : space.space_used_size + space.space_available_size;
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
