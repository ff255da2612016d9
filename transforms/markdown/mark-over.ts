import { mark } from "../wiki/build-inlines.js";
import type { Inline, MarkType } from "../wiki/tree.js";

/** Children under a mark, unless it shows nothing there: around nothing, inside of its own kind. */
export function markOver(
  type: MarkType,
  children: readonly Inline[],
  around: ReadonlySet<MarkType>,
): readonly Inline[] {
  const shows = children.length > 0 && !around.has(type);
  return shows ? [mark(type, children)] : children;
}
