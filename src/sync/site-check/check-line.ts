import { printable } from "../../storage/archive/printable.js";

/** `unknown`: the site does not tell, or it was not asked; nobody should take it for good. */
export type CheckState = "ok" | "warning" | "failed" | "unknown";

/** What one question came to. */
export interface Verdict {
  readonly state: CheckState;
  /** One clause; printable. */
  readonly what: string;
  /** What a person can do about it; empty: nothing. */
  readonly todo: string;
  /** Ends the check with a code of its own. */
  readonly because?: "unreachable" | "sign-in";
}

/** One line of the table. */
export interface CheckLine extends Verdict {
  readonly question: string;
}

const LONGEST = 600;

export function ok(what: string): Verdict {
  return { state: "ok", what: printable(what, LONGEST), todo: "" };
}

export function warning(what: string, todo: string): Verdict {
  return { state: "warning", what: printable(what, LONGEST), todo: printable(todo, LONGEST) };
}

export function failed(what: string, todo: string, because?: Verdict["because"]): Verdict {
  const verdict = { state: "failed", what: printable(what, LONGEST), todo: printable(todo, LONGEST) } as const;
  return because === undefined ? verdict : { ...verdict, because };
}

export function unknown(what: string, todo = ""): Verdict {
  return { state: "unknown", what: printable(what, LONGEST), todo: printable(todo, LONGEST) };
}
