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
 * Fields between commas, quoted where they hold commas or line ends, quotes in them doubled; rows end with CR LF, LF or CR (RFC 4180,
 * and what AICC tools write). A scanner over the characters: time is linear whatever stands there, and a quote without an end is a fault.
 */
export function readCsv(text: string, mostRows: number): Csv {
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
