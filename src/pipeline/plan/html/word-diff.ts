import { diffWordsWithSpace } from "diff";
import { maxEditLength } from "../../backup/past/bounded.js";

/** A piece of a text that is in both, was taken away, or came. */
export interface DiffPart {
  readonly what: "same" | "gone" | "come";
  readonly text: string;
}

/** Lines of an unchanged stretch that stay at its ends, next to a change. */
const CONTEXT = 3;

/**
 * Two texts word by word, with long unchanged stretches cut short. Where they have so little in common that finding it would take long, one
 * stands behind the other as a whole.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  if (before === "" || after === "")
    return parts([
      ["gone", before],
      ["come", after],
    ]);
  const bounds = { maxEditLength: maxEditLength(words(before), words(after)) };
  const changes = diffWordsWithSpace(before, after, bounds);
  if (changes === undefined)
    return parts([
      ["gone", `${before}\n`],
      ["come", after],
    ]);
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
