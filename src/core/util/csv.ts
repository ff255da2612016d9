export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

interface CsvFault {
  readonly line: number;
  readonly what: string;
}

interface CsvRows {
  readonly rows: readonly CsvRow[];
  /** The first one ends the reading. */
  readonly faults: readonly CsvFault[];
  /** Were there more rows than `mostRows`? */
  readonly isCut: boolean;
}

interface CsvOptions {
  /** Default: a comma. */
  readonly separator?: string;
  /** Blanks around fields do not count, as AICC tools write. Default: false. */
  readonly isPadded?: boolean;
  /** Default: any number. */
  readonly mostRows?: number;
}

interface Scan {
  readonly text: string;
  readonly separator: string;
  readonly isPadded: boolean;
  readonly plain: RegExp;
  at: number;
  line: number;
}

const ANY_LINE_END = /\r\n|\n|\r/g;
const BLANKS = /[ \t]*/y;

/** Reads CSV by RFC 4180, strictly. Rows end with CR LF, LF or CR. Time is linear. */
export function readRows(text: string, options: CsvOptions = {}): CsvRows {
  const { separator = ",", isPadded = false, mostRows = Number.POSITIVE_INFINITY } = options;
  const plain = new RegExp(`[^${separator}\\r\\n]*`, "y");
  const scan: Scan = { text, separator, isPadded, plain, at: 0, line: 1 };
  const rows: CsvRow[] = [];
  while (scan.at < text.length) {
    const { line } = scan;
    const fields = readRow(scan);
    if ("what" in fields) return { rows, faults: [fields], isCut: false };
    const isEmpty = fields.every((field) => field.trim() === "") && (!isPadded || fields.length === 1);
    if (isEmpty) continue;
    if (rows.length === mostRows) return { rows, faults: [], isCut: true };
    rows.push({ line, fields });
  }
  return { rows, faults: [], isCut: false };
}

function readRow(scan: Scan): readonly string[] | CsvFault {
  const { text, separator, isPadded } = scan;
  const fields: string[] = [];
  for (;;) {
    const start = isPadded ? endOf(BLANKS, scan) : scan.at;
    const field = text.charAt(start) === '"' ? readQuoted(scan, start) : take(scan.plain, scan);
    if (typeof field !== "string") return field;
    fields.push(isPadded ? field.trim() : field);
    if (text.charAt(scan.at) !== separator) break;
    scan.at += 1;
  }
  if (scan.at < text.length) {
    scan.at += text.startsWith("\r\n", scan.at) ? 2 : 1;
    scan.line += 1;
  }
  return fields;
}

function endOf(pattern: RegExp, { text, at }: Scan): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function take(pattern: RegExp, scan: Scan): string {
  const start = scan.at;
  scan.at = endOf(pattern, scan);
  return scan.text.slice(start, scan.at);
}

function readQuoted(scan: Scan, start: number): string | CsvFault {
  const { text, line } = scan;
  let field = "";
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { line, what: "a quote that opens here is never closed" };
    field += text.slice(from, quote);
    scan.at = quote + 1;
    if (text.charAt(quote + 1) !== '"') break;
    field += '"';
    from = quote + 2;
  }
  scan.line += field.match(ANY_LINE_END)?.length ?? 0;
  const rest = take(scan.plain, scan);
  if (rest === "" || (scan.isPadded && rest.trim() === "")) return field;
  const shown = JSON.stringify(rest.slice(0, 40));
  return {
    line: scan.line,
    what: `${shown} follows a closing quote; inside a quoted field, a quote is written twice`,
  };
}

/** Characters that a spreadsheet skips before it looks for a formula. */
const LEADING = /^[\s"'`\u200b\ufeff“”„‘’«»]*/u;
const FORMULA = /^[=+\-@\t\r\u2212]/u;
/** A cell with white space at its edges is quoted too: some readers drop it otherwise. */
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/u;

/** A row of CSV with its line end (RFC 4180: CR LF); no cell is a formula to a spreadsheet. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * RFC 4180. An apostrophe disarms formulas of spreadsheets (training modules, 6.4): `= + - @` in
 * any form that NFKC makes plain, TAB and CR, also after blanks and quotes.
 */
function csvCell(text: string): string {
  const safe = harmlessCell(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell of any table, disarmed as above. */
export function harmlessCell(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

function isFormula(text: string): boolean {
  if (/^[\t\r]/.test(text)) return true;
  const first = text.replace(LEADING, "").slice(0, 1).normalize("NFKC");
  return FORMULA.test(first);
}
