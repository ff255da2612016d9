import type { Span } from "./reference.js";

/** What takes the place of a span. */
export interface Edit extends Span {
  readonly text: string;
}

/**
 * The text with the edits made; everything else stays byte for byte, and without edits it is the very same string. An edit
 * inside of another's span goes with it: what a removed field refers to is removed too.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (edit.start < at) continue;
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(at);
}

export function remove({ start, end }: Span): Edit {
  return { start, end, text: "" };
}

export function put({ start, end }: Span, text: string): Edit {
  return { start, end, text };
}
