import { diffArrays } from "diff";
import type { JSX } from "hono/jsx/jsx-runtime";
import { maxEditLength } from "../../../core/util/text-difference.js";
import type { MarkKind } from "../../components/two-columns.js";

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
