import { entryOf, hasPackageKey, keyOf, type ListEntry, type ReadList } from "./list-entry.js";
import { type CsvRow, readRows } from "../../../core/util/read-rows.js";

const SEPARATORS = [",", ";", "\t"] as const;

/** What Excel writes and reads as a first line. */
const SPREADSHEET_HINT = /^sep=([,;\t])(?=[\r\n])/i;

/**
 * A table with a head that names the column of the packages (path, file, package, url or source) and perhaps one of modules; without such a head the
 * first column has the packages. The separator is the one that the first line shows.
 */
export function readCsvList(text: string, name: string): ReadList {
  const separator = SPREADSHEET_HINT.exec(text)?.[1] ?? separatorOf(text, name);
  // The line stays, empty, so that the others keep their numbers.
  const { rows, faults } = readRows(text.replace(SPREADSHEET_HINT, ""), separator);
  if (faults.length > 0) return { entries: [], faults: faults.map(({ line, what }) => `${name}:${line}: ${what}`) };
  const [head] = rows;
  const columns = head !== undefined && hasPackageKey(head.fields) ? head.fields.map(keyOf) : undefined;
  return columns === undefined ? withoutHead(rows, name) : withHead(rows.slice(1), columns, name);
}

/** The one whose first line is a head; else the one that stands most often in it; where they stand equally often, what the file's ending says. */
function separatorOf(text: string, name: string): string {
  const line = /^[^\r\n]*/.exec(text.trimStart())?.[0] ?? "";
  const likely = /\.tsv$/i.test(name) ? SEPARATORS.toReversed() : SEPARATORS;
  const splits = likely.map((separator) => {
    const fields = readRows(line, separator).rows[0]?.fields ?? [];
    return { separator, fields: fields.length, isHead: hasPackageKey(fields) };
  });
  const heads = splits.filter(({ isHead }) => isHead);
  const best = (heads.length > 0 ? heads : splits).toSorted((one, other) => other.fields - one.fields);
  return best[0]?.separator ?? ",";
}

function withoutHead(rows: readonly CsvRow[], name: string): ReadList {
  const entries: ListEntry[] = [];
  const faults: string[] = [];
  for (const { line, fields } of rows) {
    const text = fields[0]?.trim() ?? "";
    const where = `${name}:${line}`;
    if (text === "") faults.push(`${where}: its first column is empty, and no head says which one names the packages`);
    else entries.push({ where, text, module: null });
  }
  return { entries, faults };
}

function withHead(rows: readonly CsvRow[], columns: readonly string[], name: string): ReadList {
  const entries: ListEntry[] = [];
  const faults: string[] = [];
  for (const { line, fields } of rows) {
    const where = `${name}:${line}`;
    if (fields.length > columns.length) {
      faults.push(
        `${where}: it has ${fields.length} columns, the head ${columns.length}: is a field with a separator in it not quoted?`,
      );
      continue;
    }
    const entry = entryOf(new Map(columns.map((column, at) => [column, fields[at]])), where);
    if (typeof entry === "string") faults.push(`${where}: ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}
