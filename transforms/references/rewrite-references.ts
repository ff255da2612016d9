import { decide } from "./decide.js";
import { applyEdits } from "./edits.js";
import { references } from "./references.js";
import type { RewriteOptions, Rewritten } from "./rewrite-options.js";

/**
 * The text with every reference pointed home, or written so that it can't hit a stranger at the target. Everything else
 * stays byte for byte; where nothing changes it is the very same string. The forms are in the README of this folder.
 *
 * Give it the text with the source's ids each time, also when a `missing` key has got an id: it does not read its own output.
 */
export function rewriteReferences(text: string, options: RewriteOptions): Rewritten {
  const decisions = references(text, options.source, options.context).map((found) => decide(text, found, options));
  return {
    text: applyEdits(
      text,
      decisions.flatMap((decision) => decision.edits),
    ),
    missing: [...new Set(decisions.flatMap((decision) => decision.missing))],
    dangling: decisions.flatMap((decision) => decision.dangling),
  };
}
