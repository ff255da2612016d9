import type { Scope } from "./scope.js";

const TAG = "[br]";

/** Reads a forced break with the line end behind it; undefined when there is none at `at`. */
export function readBreak({ text, end, tokens }: Scope, at: number): number | undefined {
  const tagEnd = at + TAG.length;
  const open = text.slice(at, tagEnd);
  if (tagEnd > end || open.toLowerCase() !== TAG) return undefined;
  const after = lineEndAt(text, tagEnd, end);
  const stop = tagEnd + after.length;
  tokens.push({ start: at, end: stop, node: { type: "break", open, after, position: { start: at, end: stop } } });
  return stop;
}

function lineEndAt(text: string, at: number, end: number): string {
  const found = ["\r\n", "\n"].find((lineEnd) => text.startsWith(lineEnd, at) && at + lineEnd.length <= end);
  return found ?? "";
}
