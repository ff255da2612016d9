import { diffWordsWithSpace } from "diff";
import { commonEnds, maxEditLength } from "../../core/util/text-difference.js";

/** A piece of a text that is in both, was taken away, or came. */
export interface DiffPart {
  readonly what: "same" | "gone" | "come";
  readonly text: string;
}

/** Lines of an unchanged stretch that stay at its ends, next to a change. */
const CONTEXT = 3;

/**
 * Two texts word by word, with long unchanged stretches cut short. Where they have so little in
 * common that finding it would take long, one stands behind the other as a whole.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  return before.length + after.length > LONG ? longDiff(before, after) : middleDiff(before, after);
}

/**
 * UTF-16 units of both texts: beyond them equal lines at both ends are set apart first, since
 * looking at each of their words takes its time.
 */
const LONG = 200_000;
/** What is longer between those ends is not compared word by word. */
const LONGEST = 2_000_000;

function longDiff(before: string, after: string): readonly DiffPart[] {
  if (before === after) return parts([["same", before]]);
  const [old, now] = [linesOf(before), linesOf(after)];
  const [start, end] = commonEnds(old, now);
  const between = (lines: readonly string[]): string => lines.slice(start, lines.length - end).join("");
  const [gone, come] = [between(old), between(now)];
  const middle = gone.length + come.length > LONGEST ? replaced(gone, come) : middleDiff(gone, come);
  const [head, tail] = [old.slice(0, start).join(""), old.slice(old.length - end).join("")];
  return [...parts([["same", short(head, false, true)]]), ...middle, ...parts([["same", short(tail, true, false)]])];
}

/** Each with its end. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

function replaced(before: string, after: string): readonly DiffPart[] {
  return parts([
    ["gone", `${before}\n`],
    ["come", after],
  ]);
}

function middleDiff(before: string, after: string): readonly DiffPart[] {
  if (before === "" || after === "")
    return parts([
      ["gone", before],
      ["come", after],
    ]);
  const bounds = { maxEditLength: maxEditLength(words(before), words(after)) };
  const changes = diffWordsWithSpace(before, after, bounds);
  if (changes === undefined) return replaced(before, after);
  const all = changes.map(({ added, removed, value }): [DiffPart["what"], string] => [
    added ? "come" : removed ? "gone" : "same",
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

/** `followsChange`: its beginning is next to a change. */
function short(text: string, followsChange: boolean, precedesChange: boolean): string {
  const lines = text.split("\n");
  const [start, end] = [followsChange ? CONTEXT : 0, precedesChange ? CONTEXT : 0];
  const left = lines.length - start - end;
  if (left <= CONTEXT) return text;
  const head = lines.slice(0, start);
  const tail = end === 0 ? [] : lines.slice(-end);
  return [...head, `… ${left.toLocaleString("en-US")} lines as before …`, ...tail].join("\n");
}
