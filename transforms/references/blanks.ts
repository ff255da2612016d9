import type { Span } from "./reference.js";

/** Where the words stand in a written stretch that begins at `start`. */
export function trimmed(written: string, start: number): Span {
  const from = start + written.length - written.trimStart().length;
  return { start: from, end: from + written.trim().length };
}
