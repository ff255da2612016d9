/** UTF-16 units of the grammar, and functions that skip runs of them. */
export const UNIT = {
  tab: 0x09,
  newline: 0x0a,
  carriageReturn: 0x0d,
  blank: 0x20,
  hash: 0x23,
  apostrophe: 0x27,
  star: 0x2a,
  plus: 0x2b,
  comma: 0x2c,
  slash: 0x2f,
  colon: 0x3a,
  equals: 0x3d,
  open: 0x5b,
  close: 0x5d,
  caret: 0x5e,
  backtick: 0x60,
  pipe: 0x7c,
  tilde: 0x7e,
} as const;

export function isBlank(unit: number): boolean {
  return unit === UNIT.blank || unit === UNIT.tab;
}

/** Includes line ends. */
export function isSpace(unit: number): boolean {
  return unit === UNIT.blank || (unit <= UNIT.carriageReturn && unit >= UNIT.tab && unit !== 0x0b && unit !== 0x0c);
}

export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

export function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Skips blanks and line ends back from `end` to `from` at most. */
export function trimEnd(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

export function skipUnit(text: string, unit: number, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === unit) at += 1;
  return at;
}

export function startsLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === UNIT.newline;
}

/** The next place of `unit`, or `end`. */
export function skipTo(text: string, unit: number, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) !== unit) at += 1;
  return at;
}

/** The matching bracket on the same line; -1: none. */
export function closingInLine(text: string, at: number, end: number): number {
  let depth = 0;
  for (let next = at; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === UNIT.newline) return -1;
    if (unit === UNIT.open) depth += 1;
    else if (unit === UNIT.close) depth -= 1;
    if (depth === 0) return next;
  }
  return -1;
}
