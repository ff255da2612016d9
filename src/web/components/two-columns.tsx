import { diffWordsWithSpace } from "diff";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { commonEnds, maxEditLength } from "../../core/util/text-difference.js";
import { UntrustedLines } from "./untrusted-text.js";

interface SidesProps {
  readonly old: Child;
  readonly now: Child;
}

/** Side by side, or below each other on narrow screens. */
export function Sides({ old, now }: SidesProps): JSX.Element {
  return (
    <div class="sides">
      <div class="side old">
        <p class="unseen">Old:</p>
        {old}
      </div>
      <div class="side new">
        <p class="unseen">New:</p>
        {now}
      </div>
    </div>
  );
}

export function Nothing(): JSX.Element {
  return <p class="muted">none</p>;
}

/** `went`: at the old side only; `came`: at the new side only. */
export type MarkKind = "went" | "came" | "same";

const SAID = { went: "[removed: ", came: "[added: " } as const;

/** Marked by colour and line, and by words for screen readers. */
export function Marked({ kind, children }: { readonly kind: MarkKind; readonly children: Child }): JSX.Element {
  if (kind === "same") return <>{children}</>;
  const inside = (
    <>
      <span class="unseen">{SAID[kind]}</span>
      {children}
      <span class="unseen">]</span>
    </>
  );
  return kind === "went" ? <del class="went">{inside}</del> : <ins class="came">{inside}</ins>;
}

/** Each piece is cut by itself, so that the next one still shows. */
const LONGEST = 20_000;

interface TwoTexts {
  readonly before: string;
  readonly after: string;
  /** Characters of one piece. Default: 20,000. */
  readonly longest?: number;
}

/** Removed words at the left, added words at the right. */
export function TypedWords(texts: TwoTexts): JSX.Element {
  return <Sides old={<WordsDiff {...texts} side="old" />} now={<WordsDiff {...texts} side="new" />} />;
}

interface WordsDiffProps extends TwoTexts {
  readonly side: "old" | "new";
  /** Default: false, a paragraph. */
  readonly inline?: boolean;
}

export function WordsDiff({ before, after, side, longest = LONGEST, inline = false }: WordsDiffProps): JSX.Element {
  const [own, kind] = side === "old" ? (["removed", "went"] as const) : (["added", "came"] as const);
  const parts = wordDiff(before, after).filter(({ what }) => what === "same" || what === own);
  if (parts.length === 0) return <Nothing />;
  const words = parts.map((part) => (
    <Marked kind={part.what === "same" ? "same" : kind}>
      <UntrustedLines text={part.text} longest={longest} />
    </Marked>
  ));
  if (inline) return <span class="diff">{words}</span>;
  return (
    <p class="diff" dir="auto">
      {words}
    </p>
  );
}

interface DiffPart {
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
const LONGEST_CHANGED = 2_000_000;

function longDiff(before: string, after: string): readonly DiffPart[] {
  if (before === after) return parts([["same", before]]);
  const [old, now] = [linesOf(before), linesOf(after)];
  const [start, end] = commonEnds(old, now);
  const between = (lines: readonly string[]): string => lines.slice(start, lines.length - end).join("");
  const [removed, added] = [between(old), between(now)];
  const middle =
    removed.length + added.length > LONGEST_CHANGED ? replaced(removed, added) : middleDiff(removed, added);
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
  return [...head, `… ${withCommas(left)} unchanged lines …`, ...tail].join("\n");
}
