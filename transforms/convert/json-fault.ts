/** Where a text stops being JSON. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** What stands there, short; empty at the end of the text. */
  readonly found: string;
  readonly expected: string;
}

type State = "value" | "first-value" | "key" | "first-key" | "colon" | "next" | "end";

const BLANKS = /[ \t\r\n]*/y;
/** Any character but quotes, backslashes and controls, which are escaped. */
const TEXT = /"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

const EXPECTED: Readonly<Record<State, string>> = {
  value: "a value",
  "first-value": "a value or ]",
  key: "a field's name in double quotes",
  "first-key": "a field's name in double quotes or }",
  colon: "a colon",
  next: "a comma or the end of the list or object",
  end: "the end of the text",
};

/** Finds where a text stops being JSON; undefined: nowhere. Engines tell it in words of their own, and not always with a place. */
export function jsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let state: State = "value";
  let at = 0;
  for (;;) {
    at += lengthOf(BLANKS, text, at);
    if (at >= text.length) return state === "end" ? undefined : faultAt(text, at, state, open);
    const step = stepFrom(state, text, at, open);
    if (step === undefined) return faultAt(text, at, state, open);
    at += step.length;
    state = step.state;
  }
}

interface Taken {
  readonly length: number;
  readonly state: State;
}

function stepFrom(state: State, text: string, at: number, open: string[]): Taken | undefined {
  const character = text.charAt(at);
  if (state === "colon") return character === ":" ? { length: 1, state: "value" } : undefined;
  if (character === open.at(-1) && state !== "value" && state !== "key") return close(open);
  if (state === "next") {
    const next = open.at(-1) === "}" ? "key" : "value";
    return character === "," ? { length: 1, state: next } : undefined;
  }
  if (state === "end") return undefined;
  const length = lengthOf(TEXT, text, at);
  if (state === "key" || state === "first-key") return length > 0 ? { length, state: "colon" } : undefined;
  if (character === "{" || character === "[") {
    open.push(character === "{" ? "}" : "]");
    return { length: 1, state: character === "{" ? "first-key" : "first-value" };
  }
  const scalar = length || lengthOf(SCALAR, text, at);
  return scalar > 0 ? { length: scalar, state: open.length > 0 ? "next" : "end" } : undefined;
}

function close(open: string[]): Taken {
  open.pop();
  return { length: 1, state: open.length > 0 ? "next" : "end" };
}

function faultAt(text: string, at: number, state: State, open: readonly string[]): JsonFault {
  const before = text.slice(0, at).split("\n");
  const found = /^[\w.+-]{1,20}|^./u.exec(text.slice(at))?.[0] ?? "";
  const expected = state === "next" ? `a comma or ${open.at(-1)}` : EXPECTED[state];
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, found, expected };
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
