import type { FindingCollector } from "../finding-collector.js";
import { MANIFEST_LIMITS } from "../manifest-limits.js";
import { shown } from "../shown.js";
import { readCsv } from "./read-csv.js";

/** A row of a course file, its fields by their column in small letters. */
export interface TableRow {
  readonly place: string;
  /** Empty: no such column, or nothing in it. */
  field(column: string): string;
  /** All of them, for rows whose last column repeats. */
  readonly fields: readonly string[];
}

/** A course file with columns: they come in any order and any letter case (training modules, 2.4). null, and a finding: it can't be read. */
export function readTable(
  path: string,
  text: string,
  mandatory: readonly string[],
  findings: FindingCollector,
): readonly TableRow[] | null {
  // One more for the head of the table.
  const { rows, isCut, faults } = readCsv(text, MANIFEST_LIMITS.items + 1);
  for (const { line, what } of faults) findings.add("E_AICC_SYNTAX", `${path}:${line}`, what);
  if (isCut) findings.add("E_MAN_TOO_MANY_ITEMS", path, `more than ${MANIFEST_LIMITS.items} rows`);
  if (faults.length > 0 || isCut) return null;
  const [head, ...body] = rows;
  const columns = new Map(head?.fields.map((name, index) => [name.toLowerCase(), index]));
  const absent = mandatory.filter((name) => !columns.has(name));
  if (absent.length > 0) {
    const found = head === undefined ? "nothing" : shown(head.fields.join(", "));
    findings.add(
      "E_AICC_SYNTAX",
      `${path}:${head?.line ?? 1}`,
      `it begins with ${found}; the columns ${absent.join(", ")} are missing`,
    );
    return null;
  }
  return body.map(({ line, fields }) => ({
    place: `${path}:${line}`,
    field: (column) => fields[columns.get(column) ?? -1] ?? "",
    fields,
  }));
}
