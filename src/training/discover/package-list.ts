import { extname } from "node:path";
import { UsageError } from "../../core/errors.js";
import { type CsvRow, readRows } from "../../core/util/csv.js";
import { jsonErrorPlace } from "../../core/util/json.js";
import { withCommas } from "../../core/util/printable-text.js";
import { plain } from "../plain-text.js";

/**
 * One package on each line. Ignores empty lines, lines that begin with `#`, and quotes around a
 * whole line.
 */
function readLines(text: string, name: string): ReadList {
  const entries: ListEntry[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    const unquoted = /^"([^"]+)"$/.exec(bare)?.[1] ?? bare;
    entries.push({ where: `${name}:${at + 1}`, text: unquoted, module: null });
  }
  return { entries, faults: [] };
}

const SEPARATORS = [",", ";", "\t"] as const;

/** A first line of Excel. */
const SPREADSHEET_HINT = /^sep=([,;\t])(?=[\r\n])/i;

/**
 * A table with a header that names a column of packages (path, file, package, url or source) and
 * perhaps one of modules; without a header, the first column has the packages.
 */
function readCsvList(text: string, name: string): ReadList {
  const separator = SPREADSHEET_HINT.exec(text)?.[1] ?? separatorOf(text, name);
  // The line stays, empty, for the line numbers.
  const { rows, faults } = readRows(text.replace(SPREADSHEET_HINT, ""), { separator });
  if (faults.length > 0) return { entries: [], faults: faults.map(({ line, what }) => `${name}:${line}: ${what}`) };
  const [head] = rows;
  const columns = head !== undefined && hasPackageKey(head.fields) ? head.fields.map(keyOf) : undefined;
  return columns === undefined ? withoutHead(rows, name) : withHead(rows.slice(1), columns, name);
}

/**
 * The separator with which the first line is a header; else the most frequent one in it; for a tie,
 * that of the file's ending.
 */
function separatorOf(text: string, name: string): string {
  const line = /^[^\r\n]*/.exec(text.trimStart())?.[0] ?? "";
  const likely = /\.tsv$/i.test(name) ? SEPARATORS.toReversed() : SEPARATORS;
  const splits = likely.map((separator) => {
    const fields = readRows(line, { separator }).rows[0]?.fields ?? [];
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
    if (text === "") faults.push(`${where}: its first column is empty, and no header names the column of the packages`);
    else entries.push({ where, text, module: null, ...(entries.length === 0 ? { hint: NO_HEAD } : {}) });
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
        `${where}: it has ${fields.length} columns, but the header has ${columns.length}. Put quotes around a field that contains the separator`,
      );
      continue;
    }
    const entry = entryOf(new Map(columns.map((column, at) => [column, fields[at]])), where);
    if (typeof entry === "string") faults.push(`${where}: ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

function readJsonList(text: string, name: string): ReadList {
  const value = parsed(text);
  if (value instanceof Error) return { entries: [], faults: [`${name}: it is not valid JSON: ${value.message}`] };
  if (!Array.isArray(value)) {
    return {
      entries: [],
      faults: [`${name}: it is not a list of packages. Write an array of paths, or of objects with a path or a url`],
    };
  }
  return collect(value.map((one: unknown, at) => ({ value: one, where: `${name}, entry ${at + 1}` })));
}

function readJsonLines(text: string, name: string): ReadList {
  const lines = text.split(/\r\n|\n/).map((line, at) => ({ line, where: `${name}:${at + 1}` }));
  return collect(
    lines.filter(({ line }) => line.trim() !== "").map(({ line, where }) => ({ value: parsed(line), where })),
  );
}

function collect(values: readonly { readonly value: unknown; readonly where: string }[]): ReadList {
  const entries: ListEntry[] = [];
  const faults: string[] = [];
  for (const { value, where } of values) {
    const entry = oneOf(value, where);
    if (typeof entry === "string") faults.push(`${where}: ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

function oneOf(value: unknown, where: string): ListEntry | string {
  if (value instanceof Error) return `it is not valid JSON: ${value.message}`;
  if (typeof value === "string") return entryOf(new Map([["path", value]]), where);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "expected a path, or an object with a path or a url";
  return entryOf(new Map(Object.entries(value).map(([key, one]) => [keyOf(key), one])), where);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = jsonErrorPlace(error);
    return new Error(place === null ? "it is incomplete, or has other content" : `an error at ${place}`, {
      cause: error,
    });
  }
}

const READERS: Readonly<Record<string, (text: string, name: string) => ReadList>> = {
  ".txt": readLines,
  ".csv": readCsvList,
  ".tsv": readCsvList,
  ".json": readJsonList,
  ".ndjson": readJsonLines,
  ".jsonl": readJsonLines,
};

/**
 * Reads a list in the format of its ending.
 * @throws UsageError with every fault (at most ten), each with file and line; for an empty list;
 * for a file that is not text
 */
export function readList(path: string, bytes: Uint8Array): readonly ListEntry[] {
  const name = plain(path);
  const text = decoded(bytes);
  const read = READERS[extname(path).toLowerCase()];
  if (text === undefined || read === undefined) {
    throw new UsageError(
      `${name} is not a list of packages: it is not UTF-8 text. Save it as UTF-8; if it is a package, change its ending to .zip.`,
    );
  }
  const { entries, faults } = read(text, name);
  if (faults.length > 0) throw listError(name, faults);
  if (entries.length === 0)
    throw new UsageError(`${name} names no package. Write one path or https address on each line.`);
  return entries;
}

const MOST_FAULTS = 10;

export function listError(name: string, faults: readonly string[]): UsageError {
  const left = faults.length - MOST_FAULTS;
  const lines = [...faults.slice(0, MOST_FAULTS), ...(left > 0 ? [`and ${withCommas(left)} more`] : [])];
  return new UsageError(
    `The list ${name} cannot be used:\n${lines.map((line) => `  ${line}`).join("\n")}\nCorrect it. Nothing was done.`,
  );
}

/**
 * UTF-8, or UTF-16 with a byte order mark, as spreadsheets save "Unicode text". undefined: neither,
 * or with NUL characters.
 */
function decoded(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

export interface ListEntry {
  readonly where: string;
  /** A path or an address, without white space around it. Never empty. */
  readonly text: string;
  /** The module that it becomes a new version of; null: not given. */
  readonly module: string | null;
  /** What else the line may be, where it is no package. Default: nothing. */
  readonly hint?: string;
}

interface ReadList {
  readonly entries: readonly ListEntry[];
  readonly faults: readonly string[];
}

/** Names of columns and keys of the package; the first one with a value counts. */
const PACKAGE_KEYS = ["path", "file", "package", "url", "source"] as const;

const NO_HEAD = `If this line is a header, name the column of the packages: ${PACKAGE_KEYS.join(", ")}`;

function hasPackageKey(names: readonly string[]): boolean {
  const lower = new Set(names.map(keyOf));
  return PACKAGE_KEYS.some((name) => lower.has(name));
}

/** A string is the fault, without the place. */
function entryOf(values: ReadonlyMap<string, unknown>, where: string): ListEntry | string {
  const text = PACKAGE_KEYS.map((name) => textOf(values.get(name))).find((value) => value !== "");
  if (text === undefined) return `it names no package. Give one of ${PACKAGE_KEYS.join(", ")} a value`;
  const module = textOf(values.get("module"));
  return { where, text, module: module === "" ? null : module };
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

function textOf(value: unknown): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" ? value.trim() : "";
}
