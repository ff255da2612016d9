import { diffArrays } from "diff";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { maxEditLength } from "../../../core/util/text-difference.js";

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

/** `Removed` or `New`. */
export function MarkChip({ kind }: { readonly kind: MarkKind }): JSX.Element | null {
  if (kind === "same") return null;
  return kind === "went" ? <span class="chip deleted">Removed</span> : <span class="chip new">New</span>;
}

export function markOf(side: "old" | "new"): "went" | "came" {
  return side === "old" ? "went" : "came";
}

/** undefined: this side has no such element. */
export type Pair<Element> =
  | { readonly before: Element; readonly after: Element }
  | { readonly before: Element; readonly after: undefined }
  | { readonly before: undefined; readonly after: Element };

/**
 * Pairs elements of equal names in the order of the lists. Elements between them that have no
 * partner are paired by position if `pairs`, else they stand alone.
 */
export function paired<Element>(
  before: readonly Element[],
  after: readonly Element[],
  nameOf: (element: Element) => string,
  pairs = true,
): readonly Pair<Element>[] {
  const [old, now] = [before.map(nameOf), after.map(nameOf)];
  const changes = diffArrays(old, now, { maxEditLength: maxEditLength(old.length, now.length) });
  if (changes === undefined) return between(before, after, pairs);
  const all: Pair<Element>[] = [];
  let [at, to, gone, come]: [number, number, Element[], Element[]] = [0, 0, [], []];
  const close = (): void => {
    all.push(...between(gone, come, pairs));
    [gone, come] = [[], []];
  };
  for (const { added, removed, count } of changes) {
    const [left, right] = [before.slice(at, at + count), after.slice(to, to + count)];
    if (removed) gone.push(...left);
    else if (added) come.push(...right);
    else {
      close();
      all.push(...between(left, right, true));
    }
    if (!added) at += count;
    if (!removed) to += count;
  }
  close();
  return all;
}

function between<Element>(
  before: readonly Element[],
  after: readonly Element[],
  pairs: boolean,
): readonly Pair<Element>[] {
  if (!pairs)
    return [
      ...before.map((each) => ({ before: each, after: undefined })),
      ...after.map((each) => ({ before: undefined, after: each })),
    ];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    before: before[at],
    after: after[at],
  })) as Pair<Element>[];
}
