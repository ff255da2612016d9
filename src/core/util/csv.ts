export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface CsvFault {
  readonly line: number;
  readonly what: string;
}

export interface CsvRows {
  /** Without empty ones. */
  readonly rows: readonly CsvRow[];
  /** The first one ends the reading. */
  readonly faults: readonly CsvFault[];
}

interface Scan {
  readonly text: string;
  readonly separator: string;
  readonly plain: RegExp;
  at: number;
  line: number;
}

const ANY_LINE_END = /\r\n|\n|\r/g;

/**
 * Reads CSV by RFC 4180, strictly: a quote that is never closed, and anything behind a closing one,
 * is a fault. Time is linear.
 */
export function readRows(text: string, separator: string): CsvRows {
  const scan: Scan = { text, separator, plain: new RegExp(`[^${separator}\\r\\n]*`, "y"), at: 0, line: 1 };
  const rows: CsvRow[] = [];
  while (scan.at < text.length) {
    const { line } = scan;
    const fields = readRow(scan);
    if ("what" in fields) return { rows, faults: [fields] };
    if (fields.some((field) => field.trim() !== "")) rows.push({ line, fields });
  }
  return { rows, faults: [] };
}

function readRow(scan: Scan): readonly string[] | CsvFault {
  const fields: string[] = [];
  for (;;) {
    const field = scan.text.charAt(scan.at) === '"' ? readQuoted(scan) : readPlain(scan);
    if (typeof field !== "string") return field;
    fields.push(field);
    if (scan.text.charAt(scan.at) !== scan.separator) break;
    scan.at += 1;
  }
  return endRow(scan) ?? fields;
}

function readPlain(scan: Scan): string {
  scan.plain.lastIndex = scan.at;
  const [field = ""] = scan.plain.exec(scan.text) ?? [];
  scan.at += field.length;
  return field;
}

/** Quotes in it are doubled. */
function readQuoted(scan: Scan): string | CsvFault {
  const { text, line } = scan;
  let field = "";
  for (let from = scan.at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { line, what: "a quote that opens here is never closed" };
    field += text.slice(from, quote);
    scan.at = quote + 1;
    if (text.charAt(quote + 1) !== '"') break;
    field += '"';
    from = quote + 2;
  }
  scan.line += field.match(ANY_LINE_END)?.length ?? 0;
  return field;
}

function endRow(scan: Scan): CsvFault | undefined {
  const { text, at, line } = scan;
  if (at === text.length) return undefined;
  if (text.startsWith("\r\n", at)) scan.at += 2;
  else if (text.charAt(at) === "\n" || text.charAt(at) === "\r") scan.at += 1;
  else
    return { line, what: "something stands behind a closing quote; a quote inside of a quoted field is written twice" };
  scan.line += 1;
  return undefined;
}

/** What a spreadsheet skips or drops before it looks whether a cell is a formula. */
const LEADING = /^[\s"'`\u200b\ufeff“”„‘’«»]*/u;
const FORMULA = /^[=+\-@\t\r\u2212]/u;
/** A cell with white space at its edges is quoted too: some readers drop it otherwise. */
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/u;

/**
 * A cell of CSV (RFC 4180). One that a spreadsheet would take for a formula gets an apostrophe in
 * front: `= + - @`, also as full-width and small forms (NFKC makes the plain ones of them), TAB and
 * CR, also behind white space and quotes (training modules, 6.4).
 */
export function csvCell(text: string): string {
  const safe = harmlessCell(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The text of a cell of any table, with an apostrophe in front of what a spreadsheet would take for
 * a formula.
 */
export function harmlessCell(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

function isFormula(text: string): boolean {
  if (/^[\t\r]/.test(text)) return true;
  const first = text.replace(LEADING, "").slice(0, 1).normalize("NFKC");
  return FORMULA.test(first);
}
