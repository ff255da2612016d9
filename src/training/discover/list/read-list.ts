import { extname } from "node:path";
import { UsageError } from "../../../core/errors.js";
import { plain } from "../../report/plain.js";
import type { ListEntry, ReadList } from "./list-entry.js";
import { readCsvList } from "./read-csv-list.js";
import { readJsonLines, readJsonList } from "./read-json-list.js";
import { readLines } from "./read-lines.js";

/** Bytes of a list: 64 MiB name half a million packages. */
export const MAXIMUM_LIST = 64 * 1024 * 1024;

const READERS: Readonly<Record<string, (text: string, name: string) => ReadList>> = {
  ".txt": readLines,
  ".csv": readCsvList,
  ".tsv": readCsvList,
  ".json": readJsonList,
  ".ndjson": readJsonLines,
  ".jsonl": readJsonLines,
};

/**
 * What a list names, by the ending of its name.
 * @throws UsageError with every fault (at most ten), each with file and line; for a list that names nothing; for what is no text
 */
export function readList(path: string, bytes: Uint8Array): readonly ListEntry[] {
  const name = plain(path);
  const text = decoded(bytes);
  const read = READERS[extname(path).toLowerCase()];
  if (text === undefined || read === undefined) {
    throw new UsageError(
      `${name} is no list of packages: it is no text in UTF-8. Save it as UTF-8; if it is a package, give it the ending .zip.`,
    );
  }
  const { entries, faults } = read(text, name);
  if (faults.length > 0) throw listError(name, faults);
  if (entries.length === 0)
    throw new UsageError(`${name} names no package. Write one path or https address in each line.`);
  return entries;
}

const TOLD = 10;

/** All that is wrong with a list, in one error. */
export function listError(name: string, faults: readonly string[]): UsageError {
  const left = faults.length - TOLD;
  const lines = [...faults.slice(0, TOLD), ...(left > 0 ? [`and ${left.toLocaleString("en-US")} more`] : [])];
  return new UsageError(
    `The list ${name} can't be used:\n${lines.map((line) => `  ${line}`).join("\n")}\nCorrect it; nothing was done yet.`,
  );
}

/** UTF-8, or UTF-16 with its mark, as spreadsheets save "Unicode text". undefined: neither, or control characters that no text has. */
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
