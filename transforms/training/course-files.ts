import { readRows } from "../../src/core/util/csv.js";
import { type FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";

/** A row of a course file, its fields by their column in small letters. */
export interface TableRow {
  readonly place: string;
  /** Empty: no such column, or nothing in it. */
  field(column: string): string;
  /** All of them, for rows whose last column repeats. */
  readonly fields: readonly string[];
}

/**
 * A course file with columns: they come in any order and any letter case (training modules, 2.4).
 * null, and a finding: it can't be read.
 */
export function readTable(
  path: string,
  text: string,
  mandatory: readonly string[],
  findings: FindingCollector,
): readonly TableRow[] | null {
  // One more for the head of the table.
  const { rows, isCut, faults } = readRows(text, { isPadded: true, mostRows: MANIFEST_LIMITS.items + 1 });
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

/** Sections of an ini file by their names in small letters; the values of each by theirs. */
export type Ini = ReadonlyMap<string, IniSection>;

export interface IniSection {
  readonly values: ReadonlyMap<string, string>;
  /** All its lines, for sections of free text. */
  readonly text: string;
}

const SECTION = /^\s*\[([^\]]*)\]\s*$/;

/**
 * An AICC `.crs`: sections, `key=value`, free text in `[Course_Description]`, any line ends. What
 * is neither is a line of text.
 */
export function readIni(text: string): Ini {
  const sections = new Map<string, { readonly values: Map<string, string>; readonly lines: string[] }>();
  let current: { readonly values: Map<string, string>; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const name = SECTION.exec(line)?.[1]?.trim().toLowerCase();
    if (name !== undefined) {
      current = sections.get(name) ?? { values: new Map(), lines: [] };
      sections.set(name, current);
      continue;
    }
    if (current === undefined) continue;
    current.lines.push(line);
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    const key = line.slice(0, equals).trim().toLowerCase();
    if (!current.values.has(key)) current.values.set(key, line.slice(equals + 1).trim());
  }
  return new Map([...sections].map(([name, { values, lines }]) => [name, { values, text: lines.join("\n").trim() }]));
}
