import { diffWordsWithSpace } from "diff";
import { commonEnds, maxEditLength } from "../../core/util/text-difference.js";

export interface DiffPart {
  readonly what: "same" | "removed" | "added";
  readonly text: string;
}

/** Unchanged lines that stay next to a change. */
const CONTEXT = 3;

/**
 * Differences word by word, with long unchanged parts shortened. Texts with little in common are
 * replaced as a whole, since a comparison would take long.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  return before.length + after.length > LONG ? longDiff(before, after) : middleDiff(before, after);
}

/** UTF-16 units of both texts; longer ones skip equal lines at both ends first. */
const LONG = 200_000;
/** Longer differences are replaced as a whole. */
const LONGEST = 2_000_000;

function longDiff(before: string, after: string): readonly DiffPart[] {
  if (before === after) return parts([["same", before]]);
  const [old, now] = [linesOf(before), linesOf(after)];
  const [start, end] = commonEnds(old, now);
  const between = (lines: readonly string[]): string => lines.slice(start, lines.length - end).join("");
  const [removed, added] = [between(old), between(now)];
  const middle = removed.length + added.length > LONGEST ? replaced(removed, added) : middleDiff(removed, added);
  const [head, tail] = [old.slice(0, start).join(""), old.slice(old.length - end).join("")];
  return [...parts([["same", short(head, false, true)]]), ...middle, ...parts([["same", short(tail, true, false)]])];
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

function replaced(before: string, after: string): readonly DiffPart[] {
  return parts([
    ["removed", `${before}\n`],
    ["added", after],
  ]);
}

function middleDiff(before: string, after: string): readonly DiffPart[] {
  if (before === "" || after === "")
    return parts([
      ["removed", before],
      ["added", after],
    ]);
  const bounds = { maxEditLength: maxEditLength(words(before), words(after)) };
  const changes = diffWordsWithSpace(before, after, bounds);
  if (changes === undefined) return replaced(before, after);
  const all = changes.map(({ added, removed, value }): [DiffPart["what"], string] => [
    added ? "added" : removed ? "removed" : "same",
    value,
  ]);
  return parts(
    all.map(([what, text], at) => [what, what === "same" ? short(text, at > 0, at < all.length - 1) : text]),
  );
}

function parts(pairs: readonly (readonly [DiffPart["what"], string])[]): readonly DiffPart[] {
  return pairs.filter(([, text]) => text !== "").map(([what, text]) => ({ what, text }));
}

function words(text: string): number {
  return text.match(/\s+|\S+/g)?.length ?? 0;
}

/** Shortens an unchanged text; `followsChange`: a change precedes it. */
function short(text: string, followsChange: boolean, precedesChange: boolean): string {
  const lines = text.split("\n");
  const [start, end] = [followsChange ? CONTEXT : 0, precedesChange ? CONTEXT : 0];
  const left = lines.length - start - end;
  if (left <= CONTEXT) return text;
  const head = lines.slice(0, start);
  const tail = end === 0 ? [] : lines.slice(-end);
  return [...head, `… ${left.toLocaleString("en-US")} unchanged lines …`, ...tail].join("\n");
}
