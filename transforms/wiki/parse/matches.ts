import { UNIT } from "./characters.js";

/** The place of the bracket that closes each opening one, inner brackets counted. */
export function readMatches(text: string): ReadonlyMap<number, number> {
  const matches = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === UNIT.open) open.push(at);
    const start = unit === UNIT.close ? open.pop() : undefined;
    if (start !== undefined) matches.set(start, at);
  }
  return matches;
}
