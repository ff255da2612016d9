import type { Finding } from "./draft.js";
import { numberKey } from "./reference.js";

const STEP = /\|\s*stepid\s*=\s*(\d+)\s*(?=[|\]])/iy;

/** Reads the step that a pipe begins: of the nearest guide macro that is open. Says where to go on. */
export function readStep({ text, guides, depth }: Finding, at: number): number {
  const guide = guides.at(-1);
  STEP.lastIndex = at;
  const found = guide === undefined ? null : STEP.exec(text);
  if (guide === undefined || found === null) return at + 1;
  const [whole, digits = ""] = found;
  const start = at + whole.lastIndexOf(digits);
  const end = at + whole.length;
  // Inside of another bracket the pipe stays when the step goes: without it, what stands before and after could become a macro.
  const from = depth > guide.depth ? at + 1 : at;
  guide.draft.steps.push({
    key: numberKey("step", digits),
    id: { start, end: start + digits.length },
    start: from,
    end,
  });
  if (guide.draft.loose) guide.draft.end = end;
  return end;
}
