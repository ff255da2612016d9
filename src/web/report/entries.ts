import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { z } from "zod";
import { FerryError } from "../../core/errors.js";
import { type Issue, isLeftOut } from "../../core/model/issue.js";
import { parseJson } from "../../core/util/json.js";
import type { MovedThing } from "../../sync/map/moved-things.js";
import { fieldInWords, isActionable } from "../components/issue-words.js";
import { visibleText } from "../components/untrusted-text.js";
import type { OutcomeRow, RunReport } from "./run-report.js";
import { stageName } from "./stages.js";

/** Results of entries in the order of the page. The words are names of filters too. */
export const RESULTS = [
  ["failed", "Failed"],
  ["left-out", "Left out"],
  ["to-do", "Value to act on"],
  ["lost", "Value not supported"],
  ["unsupported", "Item not supported"],
  ["not-sent", "Not sent"],
  ["linked", "Linked"],
  ["note", "Note"],
  ["moved", "New address"],
] as const;

export type Result = (typeof RESULTS)[number][0];

/** A row of the list of all entries. Empty texts: none. */
export interface Entry {
  readonly result: Result;
  /** `guide/12`, or the file of a training package. */
  readonly key: string;
  readonly title: string;
  /** The code of an issue, or the stage of a failure. */
  readonly code: string;
  /** In words, see `fieldInWords`. */
  readonly field: string;
  readonly message: string;
  readonly remedy: string;
  /** The command that includes a left-out item. */
  readonly command: string;
  /** Pages or details of the item; only web addresses become links. */
  readonly oldAddress: string;
  readonly newAddress: string;
}

interface Item {
  readonly title: string;
  /** null: no page. */
  readonly address: string | null;
}

export interface EntrySources {
  readonly report: Pick<RunReport, "leftOut">;
  readonly outcomes: Iterable<OutcomeRow>;
  readonly issues: Iterable<Issue>;
  readonly moved: Iterable<MovedThing>;
  readonly itemOf: (key: string) => Item;
}

/** All entries of a run, one by one: outcomes, then issues, then addresses. */
export function* entriesOf({ report, outcomes, issues, moved, itemOf }: EntrySources): Generator<Entry> {
  const commands = new Map(report.leftOut.ways.map(({ takenInBy, command }) => [takenInBy, command ?? ""]));
  for (const { result, key, stage, reason, remedy, takenInBy } of outcomes) {
    const { title, address } = itemOf(key);
    const command = result === "left-out" ? (commands.get(takenInBy) ?? "") : "";
    const said = { code: result === "failed" ? stageName(stage) : "", field: "", message: reason, remedy };
    yield { result, key, title, ...said, command, oldAddress: address ?? "", newAddress: "" };
  }
  for (const issue of issues) {
    // A left-out item is an outcome, not a lost value.
    if (isLeftOut(issue)) continue;
    const { key, code, path, message, remedy = "" } = issue;
    const { title, address } = itemOf(key);
    const said = { code, field: fieldInWords(path), message, remedy };
    yield { result: resultOf(issue), key, title, ...said, command: "", oldAddress: address ?? "", newAddress: "" };
  }
  for (const { key, title, oldAddress, newAddress, adopted } of moved) {
    const message = adopted ? "Linked to an existing item." : "";
    const bare = { code: "", field: "", message, remedy: "", command: "" };
    yield { result: "moved", key, title, ...bare, oldAddress: oldAddress ?? "", newAddress };
  }
}

/** The one place that tells values to act on from values that no call of the service sets. */
export function resultOf(issue: Pick<Issue<string>, "level" | "code" | "remedy">): "to-do" | "lost" | "note" {
  if (issue.level === "note") return "note";
  return isActionable(issue) ? "to-do" : "lost";
}

/** Characters of a title. */
const LONGEST_TITLE = 300;

/** Rows of one block: memory holds one block. */
const BLOCK = 2000;

/**
 * Entries as blocks of data for `browser/rows.ts`, each an inert element. A block is `{ texts,
 * rows }`: a row has the place of its result, then for each field the place of its text in `texts`;
 * an address has two, because many share their beginning.
 */
export function* packedEntries(entries: Iterable<Entry>): Generator<string> {
  let block = new Block();
  for (const entry of entries) {
    block.add(entry);
    if (block.rows.length < BLOCK) continue;
    yield block.html();
    block = new Block();
  }
  if (block.rows.length > 0) yield block.html();
}

class Block {
  readonly rows: (readonly number[])[] = [];
  readonly #places = new Map<string, number>();

  add({ result, key, title, code, field, message, remedy, command, oldAddress, newAddress }: Entry): void {
    const said = [code, field, message, remedy, command].map((text) => visibleText(text));
    const texts = [visibleText(key), visibleText(title, LONGEST_TITLE), ...said].map((text) => this.#place(text));
    const addresses = [...split(oldAddress), ...split(newAddress)].map((text) => this.#place(text));
    this.rows.push([RESULTS.findIndex(([name]) => name === result), ...texts, ...addresses]);
  }

  /** No text ends the element, since each `<` is escaped. */
  html(): string {
    const json = JSON.stringify({ texts: [...this.#places.keys()], rows: this.rows }).replaceAll("<", "\\u003c");
    return `<script type="application/json" class="entries-data">${json}</script>\n`;
  }

  #place(text: string): number {
    const known = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, known);
    return known;
  }
}

function split(address: string): readonly [string, string] {
  const at = address.lastIndexOf("/") + 1;
  return [address.slice(0, at), address.slice(at)];
}

/**
 * The lines of `outcomes.ndjson` or `losses.ndjson`, one by one. Throws FerryError for a damaged
 * line, and errors of the disk.
 */
export function* rowsIn<T>(file: string, schema: z.ZodType<T>): Generator<T> {
  let line = 0;
  for (const text of linesIn(file)) {
    line += 1;
    const row = schema.safeParse(parseJson(text));
    if (!row.success) throw new FerryError(`Line ${line} of ${file} is damaged.`);
    yield row.data;
  }
}

const PIECE = 64 * 1024;

/** The lines of a text file, one by one. */
function* linesIn(file: string): Generator<string> {
  const handle = openSync(file, "r");
  try {
    const [bytes, decoder] = [Buffer.alloc(PIECE), new StringDecoder("utf8")];
    let rest = "";
    for (;;) {
      const read = readSync(handle, bytes, 0, PIECE, null);
      if (read === 0) break;
      const lines = `${rest}${decoder.write(bytes.subarray(0, read))}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(handle);
  }
}
