import { diffArrays } from "diff";
import type { SnapshotId } from "../../storage/repository/format.js";
import { commonEnds, maxEditLength } from "../../core/util/diff-bounds.js";

/** Where a line comes from: the first night that had it so. */
export interface BlamedLine {
  readonly snapshot: SnapshotId;
  readonly revision: string;
  /** UNIX seconds, as the site said of that revision. */
  readonly modified: number | null;
  readonly author: string | null;
  readonly line: string;
}

/** The night that a line came in. */
export type Origin = Omit<BlamedLine, "line">;

/**
 * Lines that stayed keep their origin, others get this one; so do all between the first and the last that changed, where finding what stayed among them
 * would take minutes.
 */
export function carriedOver(
  before: readonly BlamedLine[],
  after: readonly string[],
  origin: Origin,
): readonly BlamedLine[] {
  const old = before.map(({ line }) => line);
  const [start, end] = commonEnds(old, after);
  const [gone, come] = [old.slice(start, old.length - end), after.slice(start, after.length - end)];
  const lines = before.slice(0, start);
  const changes = diffArrays(gone, come, { maxEditLength: maxEditLength(gone.length, come.length) });
  let at = start;
  for (const { added, removed, value } of changes ?? [{ added: true, removed: false, value: come }]) {
    if (added) lines.push(...value.map((line) => ({ ...origin, line })));
    else {
      if (!removed) lines.push(...before.slice(at, at + value.length));
      at += value.length;
    }
  }
  return [...lines, ...before.slice(before.length - end)];
}
