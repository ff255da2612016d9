import { csvCell } from "../../core/util/csv-cell.js";
import type { PackageFinding } from "../package.js";
import { plain } from "./plain.js";
import { type CheckLine, type ImportLine, isImportLine, type ReportLine } from "./report-line.js";

/** A spreadsheet takes 32,767 characters in a cell. */
const LONGEST_CELL = 30_000;
const END = "\r\n";

interface Column<Line> {
  readonly name: string;
  readonly text: (line: Line) => string;
}

const CHECK_COLUMNS: readonly Column<CheckLine>[] = [
  { name: "file", text: ({ file }) => plain(file) },
  { name: "verdict", text: ({ verdict }) => verdict },
  { name: "codes", text: ({ codes }) => codes.join(" ") },
  { name: "standard", text: ({ standard }) => standard ?? "" },
  { name: "title", text: ({ title }) => title ?? "" },
  { name: "errors", text: ({ findings }) => String(countOf(findings, "error")) },
  { name: "warnings", text: ({ findings }) => String(countOf(findings, "warning")) },
  { name: "findings", text: ({ findings }) => findings.map(clauseOf).join(" | ") },
  { name: "what to do", text: ({ findings }) => [...new Set(findings.map(({ remedy }) => remedy))].join(" | ") },
  { name: "repairs", text: ({ repairs }) => repairs.map(({ path, what }) => `${path}: ${what}`).join(" | ") },
  { name: "bytes", text: ({ bytes }) => String(bytes) },
];

const IMPORT_COLUMNS: readonly Column<ImportLine>[] = [
  ...CHECK_COLUMNS,
  { name: "action", text: ({ action }) => action },
  { name: "state", text: ({ state }) => state ?? "" },
  { name: "module", text: ({ module }) => module ?? "" },
  { name: "import", text: (line) => line.import ?? "" },
  { name: "digest", text: ({ digest }) => digest ?? "" },
  { name: "reason", text: ({ reason }) => reason },
  { name: "notes", text: ({ notes }) => notes.join(" | ") },
];

/** What a CSV report has a column for. */
export type CsvKind = "check" | "import";

const HEADS: Readonly<Record<CsvKind, readonly string[]>> = {
  check: CHECK_COLUMNS.map(({ name }) => name),
  import: IMPORT_COLUMNS.map(({ name }) => name),
};

/** The head of a CSV report, with its line end (RFC 4180: CR LF). */
export function csvHead(kind: CsvKind): string {
  return row(HEADS[kind]);
}

/** The line of one package, with its line end; no cell of it is a formula to a spreadsheet, none has a line break. */
export function csvLine(line: ReportLine): string {
  const cells = isImportLine(line)
    ? IMPORT_COLUMNS.map(({ text }) => text(line))
    : CHECK_COLUMNS.map(({ text }) => text(line));
  return row(cells);
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => csvCell(cut(cell))).join(",") + END;
}

function cut(cell: string): string {
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell;
}

function countOf(findings: readonly PackageFinding[], level: PackageFinding["level"]): number {
  return findings.filter((finding) => finding.level === level).length;
}

function clauseOf({ code, place, detail }: PackageFinding): string {
  return place === null ? `${code}: ${detail}` : `${code} ${place}: ${detail}`;
}
