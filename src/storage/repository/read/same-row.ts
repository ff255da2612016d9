import type { Line } from "./row-lines.js";

const READ = Buffer.from(',"read":');
const COMMA = 0x2c;

/**
 * Do two rows say the same, but for when they were last compared with the site? That is another time each night in the row of everything that
 * lists show, and nothing else of it may be other. A quote in a text has a backslash before it, so nothing but a field begins as this one does.
 */
export function isSameRow(one: Line, other: Line): boolean {
  if (isEqual(one, one.start, other, other.start)) return true;
  const length = Math.min(one.end - one.start, other.end - other.start);
  let at = 0;
  while (at < length && one.block[one.start + at] === other.block[other.start + at]) at += 1;
  // The first difference may lie behind some digits that are the same.
  while (at > 0 && isDigit(one.block[one.start + at - 1])) at -= 1;
  if (!hasBefore(one, one.start + at)) return false;
  const [end, otherEnd] = [endOfNumber(one, one.start + at), endOfNumber(other, other.start + at)];
  return end !== undefined && otherEnd !== undefined && isEqual(one, end, other, otherEnd);
}

function hasBefore({ block, start }: Line, at: number): boolean {
  return at - READ.length >= start && block.compare(READ, 0, READ.length, at - READ.length, at) === 0;
}

/** Where the comma behind a number stands; undefined: there is no number as JSON has it, or none that is safe to be one. */
function endOfNumber({ block, end }: Line, from: number): number | undefined {
  let at = from;
  while (at < end && isDigit(block[at])) at += 1;
  const length = at - from;
  const isNumber = length > 0 && length <= 15 && (length === 1 || block[from] !== 0x30);
  return isNumber && block[at] === COMMA ? at : undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** From there to the ends of the lines. */
function isEqual(one: Line, at: number, other: Line, otherAt: number): boolean {
  if (one.end - at !== other.end - otherAt) return false;
  return one.block.compare(other.block, otherAt, other.end, at, one.end) === 0;
}
