import { formatPatch, structuredPatch } from "diff";
import { commonEnds, maxEditLength } from "../../core/util/diff-bounds.js";

/** What the two texts are of, for the head of a diff. */
export interface DiffNames {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Lines around a change. */
const CONTEXT = 3;
const HEADERS = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };

/**
 * Two texts as a unified diff; null: they are the same. Where they have so little in common that finding it would take minutes, a sentence stands in the place of
 * the changes.
 */
export function unifiedDiff({ name, from, to }: DiffNames, before: string, after: string): string | null {
  if (before === after) return null;
  const [old, now] = [linesOf(before), linesOf(after)];
  const [start, end] = commonEnds(old, now);
  const [skipped, left] = [Math.max(0, start - CONTEXT), Math.max(0, end - CONTEXT)];
  const one = old.slice(skipped, old.length - left).join("");
  const other = now.slice(skipped, now.length - left).join("");
  const [gone, come] = [old.length - start - end, now.length - start - end];
  const bounds = { context: CONTEXT, maxEditLength: maxEditLength(gone, come) };
  const patch = structuredPatch(name, name, one, other, from, to, bounds);
  if (patch === undefined) {
    const head = formatPatch({ ...structuredPatch(name, name, "", "", from, to), hunks: [] }, HEADERS);
    return `${head}Changed as a whole from line ${number(start + 1)} on: ${number(gone)} lines before, ${number(come)} lines after.\n`;
  }
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }));
  return formatPatch({ ...patch, hunks }, HEADERS);
}

/** With their ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
