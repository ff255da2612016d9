import type { FitRow } from "./rule.js";

const COLUMNS = [
  ["Code", (row) => `\`${row.code}\``],
  ["What", (row) => row.what],
  ["Limit", (row) => row.limit],
  ["`refuse`", (row) => row.refuse],
  ["`split`", (row) => row.split],
  ["`trim`", (row) => row.trim],
  ["Source", (row) => row.source],
] as const satisfies readonly (readonly [string, (row: FitRow) => string])[];

/** Rules as a Markdown table, line by line: what README shows. */
export function tableOf(rows: readonly FitRow[]): string {
  const head = COLUMNS.map(([title]) => title);
  const body = rows.map((row) => COLUMNS.map(([, cell]) => cell(row)));
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
