import type { Speed } from "./measure.js";

export interface Row {
  readonly operation: string;
  /** Ours first. */
  readonly speeds: readonly Speed[];
}

/**
 * A Markdown table: an operation a line, a contender a column; behind each peer how many times as
 * fast ours is.
 */
export function tableOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ speeds }) => speeds.map(({ name }) => name)))];
  const head = ["MB/s", ...names];
  const lines = rows.map(({ operation, speeds }) => [operation, ...names.map((name) => cellOf(name, speeds))]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [head, rule, ...lines].map((line) => lineOf(line, widths)).join("\n");
}

function cellOf(name: string, speeds: readonly Speed[]): string {
  const [ours] = speeds;
  const speed = speeds.find((each) => each.name === name);
  if (speed === undefined || ours === undefined) return "";
  const noise = `${rounded(speed.median)} ±${Math.round(speed.spread * 50)}%`;
  return speed === ours ? noise : `${noise} (×${rounded(ours.median / speed.median)})`;
}

/** Three digits tell enough, and more would be noise. */
function rounded(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
  );
  return `| ${padded.join(" | ")} |`;
}
