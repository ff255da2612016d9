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

export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface Csv {
  /** Without empty lines; at most as many as were asked for. */
  readonly rows: readonly CsvRow[];
  /** Were there more rows? */
  readonly isCut: boolean;
  readonly faults: readonly { readonly line: number; readonly what: string }[];
}

interface Scan {
  readonly text: string;
  readonly faults: { readonly line: number; readonly what: string }[];
  at: number;
  line: number;
}

/**
 * Fields between commas, quoted where they hold commas or line ends, quotes in them doubled; rows
 * end with CR LF, LF or CR (RFC 4180, and what AICC tools write). A scanner over the characters:
 * time is linear whatever stands there, and a quote without an end is a fault.
 */
function readCsv(text: string, mostRows: number): Csv {
  const scan: Scan = { text, faults: [], at: 0, line: 1 };
  const rows: CsvRow[] = [];
  while (scan.at < text.length && scan.faults.length === 0) {
    const { line } = scan;
    const fields = readRow(scan);
    if (fields.length === 1 && fields[0]?.trim() === "") continue;
    if (rows.length === mostRows) return { rows, isCut: true, faults: scan.faults };
    rows.push({ line, fields });
  }
  return { rows, isCut: false, faults: scan.faults };
}

function readRow(scan: Scan): readonly string[] {
  const fields: string[] = [];
  for (;;) {
    fields.push(readField(scan));
    const character = scan.text.charAt(scan.at);
    if (character === ",") {
      scan.at += 1;
      continue;
    }
    endRow(scan, character);
    return fields;
  }
}

function endRow(scan: Scan, character: string): void {
  if (character === "") return;
  scan.at += scan.text.startsWith("\r\n", scan.at) ? 2 : 1;
  scan.line += 1;
}

const PLAIN = /[^,\r\n]*/y;
const BLANK = /[ \t]*/y;

/** Leaves `at` on a comma, a line end or the end. */
function readField(scan: Scan): string {
  BLANK.lastIndex = scan.at;
  BLANK.test(scan.text);
  const start = BLANK.lastIndex;
  if (scan.text.charAt(start) === '"') return readQuoted(scan, start);
  PLAIN.lastIndex = scan.at;
  const [plain = ""] = PLAIN.exec(scan.text) ?? [];
  scan.at += plain.length;
  return plain.trim();
}

function readQuoted(scan: Scan, start: number): string {
  const { text, line } = scan;
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) {
      scan.faults.push({ line, what: "a quote that opens here is never closed" });
      scan.at = text.length;
      return value;
    }
    value += text.slice(from, quote);
    from = quote + 2;
    if (text.charAt(quote + 1) === '"') value += '"';
    else {
      scan.at = quote + 1;
      break;
    }
  }
  scan.line += value.split(/\r\n|\n|\r/).length - 1;
  return skipToComma(scan, value);
}

/** Behind a closing quote nothing but blanks may stand. */
function skipToComma(scan: Scan, value: string): string {
  PLAIN.lastIndex = scan.at;
  const [rest = ""] = PLAIN.exec(scan.text) ?? [];
  if (rest.trim() !== "")
    scan.faults.push({ line: scan.line, what: `${JSON.stringify(rest.slice(0, 40))} stands behind a closing quote` });
  scan.at += rest.length;
  return value.trim();
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
