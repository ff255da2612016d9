import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../../archive/disk-error.js";

/** A value with its sort key; keys are compared by code units. */
export interface Sorted<Value> {
  readonly key: string;
  readonly value: Value;
}

interface Row {
  readonly key: string;
  /** The value as JSON. */
  readonly text: string;
}

/** Limits of the rows in memory. */
const HELD_CHARACTERS = 1024 * 1024;
const HELD_ROWS = 4000;
const WRITTEN_AT_ONCE = 256 * 1024;

/**
 * Sorts any number of JSON values in constant memory: rows beyond the limit are sorted in pieces in
 * `folder`, which are merged when they are read and deleted by `close`. For equal keys the first
 * value is kept.
 */
export class LineSorter<Value> {
  readonly #folder: string;
  readonly #limit: { readonly characters: number; readonly rows: number };
  #own: string | undefined;
  #held: Row[] = [];
  #characters = 0;
  readonly #files: string[] = [];

  constructor(folder: string, limit = { characters: HELD_CHARACTERS, rows: HELD_ROWS }) {
    this.#folder = folder;
    this.#limit = limit;
  }

  /** Await each call. Throws ArchiveError for the disk. */
  async add(key: string, value: Value): Promise<void> {
    const text = JSON.stringify(value);
    this.#held.push({ key, text });
    this.#characters += key.length + text.length;
    if (this.#held.length >= this.#limit.rows || this.#characters >= this.#limit.characters) await this.#spill();
  }

  /** All values in order; may be read several times. No value may be added afterwards. */
  async *sorted(): AsyncGenerator<Sorted<Value>> {
    this.#held = inOrder(this.#held);
    // Sources are ordered by age, so the first source with a key has the value to keep.
    const sources = [...this.#files.map((file) => readPiece<Value>(file)), parsed<Value>(this.#held)];
    const heads: (Sorted<Value> | undefined)[] = [];
    try {
      for (const source of sources) heads.push(await nextOf(source));
      let last: string | undefined;
      for (let at = least(heads); at >= 0; at = least(heads)) {
        const head = heads[at];
        const source = sources[at];
        if (head === undefined || source === undefined) return;
        if (head.key !== last) yield head;
        last = head.key;
        heads[at] = await nextOf(source);
      }
    } finally {
      for (const source of sources) await source.return(undefined);
    }
  }

  async close(): Promise<void> {
    if (this.#own !== undefined) await rm(this.#own, { recursive: true, force: true });
  }

  async #spill(): Promise<void> {
    const doing = `sorting rows in ${this.#folder}`;
    this.#own ??= await onDisk(doing, mkdtemp(join(this.#folder, "sort-")));
    const file = join(this.#own, String(this.#files.length));
    await onDisk(doing, writePiece(file, inOrder(this.#held)));
    this.#files.push(file);
    this.#held = [];
    this.#characters = 0;
  }
}

/** Stable, so that the first of equal keys stays first. */
function inOrder(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
}

function least(heads: readonly (Sorted<unknown> | undefined)[]): number {
  let found = -1;
  let key = "";
  heads.forEach((head, at) => {
    if (head === undefined || (found >= 0 && head.key >= key)) return;
    found = at;
    key = head.key;
  });
  return found;
}

async function nextOf<Value>(source: Source<Value>): Promise<Sorted<Value> | undefined> {
  const step = await source.next();
  return step.done === true ? undefined : step.value;
}

async function writePiece(file: string, rows: readonly Row[]): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    let text = "";
    for (const { key, text: value } of rows) {
      text += `[${JSON.stringify(key)},${value}]\n`;
      if (text.length < WRITTEN_AT_ONCE) continue;
      await handle.appendFile(text);
      text = "";
    }
    await handle.appendFile(text);
  } finally {
    await handle.close();
  }
}

type Source<Value> = AsyncGenerator<Sorted<Value>> | Generator<Sorted<Value>>;

async function* readPiece<Value>(file: string): AsyncGenerator<Sorted<Value>> {
  for await (const line of linesOf(createReadStream(file))) {
    const [key, value] = JSON.parse(line) as [string, Value];
    yield { key, value };
  }
}

function* parsed<Value>(rows: readonly Row[]): Generator<Sorted<Value>> {
  for (const { key, text } of rows) yield { key, value: JSON.parse(text) as Value };
}

/** Lines separated by `\n` only: Node's readline also splits at U+2028, which JSON may contain. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, from)) {
      held.push(piece.subarray(from, end));
      yield Buffer.concat(held).toString("utf8");
      held = [];
      from = end + 1;
    }
    if (from < piece.length) held.push(piece.subarray(from));
  }
  if (held.length > 0) yield Buffer.concat(held).toString("utf8");
}
