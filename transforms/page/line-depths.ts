import type { Line } from "../../src/core/model/guide.js";

/** How deep each line stands in the list of a step: its level, but no more than one below the line before it. */
export function depthsOf(lines: readonly Pick<Line, "level">[]): readonly number[] {
  let before = -1;
  return lines.map(({ level }) => {
    before = Math.max(0, Math.min(level, before + 1));
    return before;
  });
}
