import type { Line } from "../../src/core/model/guide.js";

/**
 * Lines with levels that the service takes; the same array when they were so. Lines at the beginning that all stand
 * deeper than 0 are moved out together, so that neighbours stay neighbours: 1 1 2 0 becomes 0 0 1 0.
 */
export function settleLevels(lines: readonly Line[], maximum: number): readonly Line[] {
  const outer = lines.findIndex((line) => line.level <= 0);
  const leading = outer < 0 ? lines.length : outer;
  const shift = Math.min(...lines.slice(0, leading).map((line) => line.level));
  let deepest = 0;
  const settled = lines.map((line, index) => {
    const wanted = index < leading ? line.level - shift : line.level;
    const level = Math.max(0, Math.min(wanted, deepest, maximum));
    deepest = level + 1;
    return level === line.level ? line : { ...line, level };
  });
  return settled.every((line, index) => line === lines[index]) ? lines : settled;
}
