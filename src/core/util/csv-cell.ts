/** What a spreadsheet skips or drops before it looks whether a cell is a formula. */
const LEADING = /^[\s"'`\u200b\ufeff“”„‘’«»]*/u;
const FORMULA = /^[=+\-@\t\r\u2212]/u;
/** A cell with white space at its edges is quoted too: some readers drop it otherwise. */
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/u;

/**
 * A cell of CSV (RFC 4180). One that a spreadsheet would take for a formula gets an apostrophe in front: `= + - @`, also as full-width and small
 * forms (NFKC makes the plain ones of them), TAB and CR, also behind white space and quotes (training modules, 6.4).
 */
export function csvCell(text: string): string {
  const safe = harmlessCell(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell of any table, with an apostrophe in front of what a spreadsheet would take for a formula. */
export function harmlessCell(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

function isFormula(text: string): boolean {
  if (/^[\t\r]/.test(text)) return true;
  const first = text.replace(LEADING, "").slice(0, 1).normalize("NFKC");
  return FORMULA.test(first);
}
