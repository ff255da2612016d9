import { UsageError } from "../../core/errors.js";
import { type CsvRow, readRows } from "../../core/util/csv.js";
import type { PeopleRow } from "../../core/writing.js";

/** How rows name whom they mean. */
export type PeopleKind = "users" | "teams";

/**
 * Reads a map of people: CSV (RFC 4180) in UTF-8 with a head that names the columns `old` and
 * `new`, in any place and letter case; further columns are for people. Separated by commas,
 * semicolons or TABs, as the head is. Throws UsageError that names file and line of each fault.
 *
 * @param name what messages call the file
 */
export function parsePeopleMap(text: string, name: string, kind: PeopleKind): readonly PeopleRow[] {
  const bare = text.replace(/^\uFEFF/, "");
  const { rows, faults } = readRows(bare, { separator: separatorIn(bare) });
  if (faults.length > 0) throw refusal(faults.map(({ line, what }) => `${name}:${line}: ${what}`));
  const [head, ...body] = rows;
  const columns = head?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  const missing = ["old", "new"].filter((column) => columns.filter((one) => one === column).length !== 1);
  if (missing.length > 0) {
    const has = columns.length === 0 ? "it is empty" : `it has ${columns.map((one) => JSON.stringify(one)).join(", ")}`;
    throw refusal([`${name}:1: its first line has to name one column ${missing.join(" and one column ")}; ${has}`]);
  }
  return peopleRows(body, columns, name, kind);
}

/** In the first line, outside of what may stand in quotes. */
function separatorIn(text: string): string {
  const [head = ""] = /^[^\r\n]*/.exec(text) ?? [];
  return [";", "\t"].find((separator) => head.includes(separator) && !head.includes(",")) ?? ",";
}

function peopleRows(
  rows: readonly CsvRow[],
  columns: readonly string[],
  name: string,
  kind: PeopleKind,
): readonly PeopleRow[] {
  const found = new Map<string, PeopleRow>();
  const faults: string[] = [];
  for (const { line, fields } of rows) {
    const where = `${name}:${line}`;
    const fault = fieldFault(fields, columns);
    const old = nameIn(fields[columns.indexOf("old")] ?? "", kind);
    const before = found.get(old);
    if (fault !== undefined) faults.push(`${where}: ${fault}`);
    else if (old === "") faults.push(`${where}: "old" is empty, so that nobody knows whom it is about`);
    else if (before !== undefined) faults.push(`${where}: the same "old" stands in ${before.where} too`);
    else found.set(old, { where, old, new: (fields[columns.indexOf("new")] ?? "").trim() });
  }
  if (faults.length > 0) throw refusal(faults);
  return [...found.values()];
}

function fieldFault(fields: readonly string[], columns: readonly string[]): string | undefined {
  if (fields.length === columns.length) return undefined;
  const why =
    fields.length < columns.length
      ? 'where "new" is meant to be empty, its separator stands all the same'
      : "is a field with a separator in it not quoted?";
  return `it has ${fields.length} columns, the head ${columns.length}: ${why}`;
}

/**
 * Unique names and addresses are told in lower case (api-facts 2.3); a number is an id, however
 * many zeros lead it.
 */
function nameIn(field: string, kind: PeopleKind): string {
  const text = field.trim();
  if (/^\d+$/.test(text)) return String(Number(text));
  return kind === "users" ? text.toLowerCase() : text;
}

function refusal(faults: readonly string[]): UsageError {
  return new UsageError(`${faults.join("\n")}\nNothing was written.`);
}
