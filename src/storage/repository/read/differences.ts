import { z } from "zod";
import { isObject } from "../../../core/util/json.js";
import { damage } from "./damage.js";
import { blocksOf, isSameRow, LineCursor, NEWLINE, parseRow, type RowChange, type RowShape } from "./rows.js";

/** Is a line of differences the mark that the snapshot does not have this row of its base? */
export function isRemoved(row: unknown): boolean {
  return isObject(row) && row["removed"] === true;
}

interface Differences {
  /** `items.ndjson in site-….zip`, for messages. */
  readonly name: string;
  /** The first field of each row. */
  readonly field: string;
}

/**
 * The rows of a snapshot as blocks of lines: those of its base with its differences. Both are
 * sorted by their first field. Only the blocks with a difference are searched line by line. Throws
 * ArchiveError (exit 6) for a damaged or unsorted difference.
 *
 * @param base blocks of complete lines
 */
export async function* mergedRows(
  base: AsyncIterable<Buffer>,
  pieces: AsyncIterable<Buffer>,
  differences: Differences,
): AsyncGenerator<Buffer> {
  const own = new DifferenceCursor(pieces, differences);
  try {
    await own.next();
    for await (const block of base) {
      const keys = new BlockKeys(block, differences);
      // One block for the reader, whose work for each block is more than copying it.
      const merged: Buffer[] = [];
      let from = 0;
      while (own.key !== undefined && own.key <= keys.last) {
        const at = keys.seek(from, own.key);
        merged.push(block.subarray(from, at));
        from = keys.at(at) === own.key ? keys.after(at) : at;
        if (!own.isRemoved) merged.push(own.bytes());
        await own.next();
      }
      const rest = block.subarray(from);
      const whole = merged.length === 0 ? rest : Buffer.concat([...merged, rest]);
      if (whole.length > 0) yield whole;
    }
    for (; own.key !== undefined; await own.next()) if (!own.isRemoved) yield own.bytes();
  } finally {
    await own.close();
  }
}

/** Rows of a base by their first fields; undefined: the base has no such row. */
type FoundRows = ReadonlyMap<string, Buffer | undefined>;

/**
 * Finds the rows of a base that are among these differences of a snapshot, in one pass. Those after
 * the first `mostBytes` are missing in the result. Throws as `mergedRows`.
 */
export async function findRows(
  base: AsyncGenerator<Buffer>,
  own: AsyncIterable<Buffer>,
  differences: Differences,
  mostBytes: number,
): Promise<FoundRows> {
  const keys = await differingKeys(own, differences);
  const rows = new BaseSeeker(() => base, differences);
  const found = new Map<string, Buffer | undefined>();
  let bytes = 0;
  try {
    for (const key of keys) {
      const line = await rows.find(key);
      bytes += key.length + (line?.length ?? 0);
      if (bytes > mostBytes) break;
      // A copy, because a part of a block keeps the whole block in memory.
      found.set(key, line === undefined ? undefined : Buffer.from(line));
    }
  } finally {
    await rows.close();
  }
  return found;
}

/** The first fields of all differences. Throws as `mergedRows`. */
async function differingKeys(pieces: AsyncIterable<Buffer>, differences: Differences): Promise<Set<string>> {
  const own = new DifferenceCursor(pieces, differences);
  const keys = new Set<string>();
  try {
    for (await own.next(); own.key !== undefined; await own.next()) keys.add(own.key);
  } finally {
    await own.close();
  }
  return keys;
}

/** The differences of one snapshot; `pieces` null: it has none, as the base itself. */
export interface DifferencesOf<Row> extends Differences, Pick<RowShape<Row>, "schema"> {
  readonly pieces: AsyncIterable<Buffer> | null;
}

/**
 * The rows that differ between two snapshots of the same base, as `readChangedRows`. The base is
 * read only if a row is among the differences of one of them, and no further than the last such
 * row: it is not checked to its end.
 *
 * @param found rows that need no reading of the base
 */
export async function* changedByDifferences<Row>(
  own: DifferencesOf<Row>,
  before: DifferencesOf<Row>,
  base: () => AsyncGenerator<Buffer>,
  found: FoundRows,
): AsyncGenerator<RowChange<Row>> {
  const [after, others] = [cursorOf(own), cursorOf(before)];
  const rows = new BaseSeeker(base, own);
  const rowOf = async (key: string, { name, schema }: DifferencesOf<Row>, cursor?: DifferenceCursor) => {
    if (cursor?.isRemoved === true) return undefined;
    const line = cursor?.line() ?? (found.has(key) ? found.get(key) : await rows.find(key));
    return line === undefined ? undefined : parseRow(line, schema, `${name}, ${key}`);
  };
  try {
    await after.next();
    await others.next();
    for (let key = least(after.key, others.key); key !== undefined; key = least(after.key, others.key)) {
      const [isOwn, isBefore] = [after.key === key, others.key === key];
      if (!(isOwn && isBefore && after.equals(others))) {
        const change = {
          before: await rowOf(key, before, isBefore ? others : undefined),
          after: await rowOf(key, own, isOwn ? after : undefined),
        };
        if (change.before !== undefined || change.after !== undefined) yield change as RowChange<Row>;
      }
      if (isOwn) await after.next();
      if (isBefore) await others.next();
    }
  } finally {
    await after.close();
    await others.close();
    await rows.close();
  }
}

function cursorOf(differences: DifferencesOf<unknown>): DifferenceCursor {
  return new DifferenceCursor(differences.pieces ?? nothing(), differences);
}

async function* nothing(): AsyncGenerator<Buffer> {
  // The base has no differences.
}

function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** The lines of a file of differences, each parsed: they are few. */
class DifferenceCursor {
  readonly #lines: LineCursor;
  readonly #differences: Differences;
  /** Created once: zod compiles each new schema. */
  readonly #schema: z.ZodType<Readonly<Record<string, unknown>>>;
  /** The first field of the current line; undefined: at the end. */
  key: string | undefined;
  isRemoved = false;

  constructor(pieces: AsyncIterable<Buffer>, differences: Differences) {
    this.#lines = new LineCursor(blocksOf(pieces, differences.name));
    this.#differences = differences;
    this.#schema = z.looseObject({ [differences.field]: z.string() });
  }

  async next(): Promise<void> {
    const last = this.key;
    this.key = undefined;
    if (!(this.#lines.step() || (await this.#lines.refill()))) return;
    const { key, isRemoved } = this.#read();
    this.key = key;
    this.isRemoved = isRemoved;
    if (last !== undefined && key <= last)
      throw damage(`${this.#where()}: ${key} comes after ${last}, but rows must be sorted.`);
  }

  /** From the beginning of the line if possible: parsing takes most of the time of a merge. */
  #read(): { readonly key: string; readonly isRemoved: boolean } {
    const { field } = this.#differences;
    const [, found, key, rest] = LINE.exec(this.line().toString("utf8")) ?? [];
    if (found === field && key !== undefined && rest !== undefined && (rest === REMOVED || !rest.includes('"removed"')))
      return { key, isRemoved: rest === REMOVED };
    const row = parseRow(this.line(), this.#schema, this.#where());
    return { key: String(row[field]), isRemoved: isRemoved(row) };
  }

  #where(): string {
    return `${this.#differences.name}, row ${this.#lines.number}`;
  }

  line(): Buffer {
    return this.#lines.bytes();
  }

  /** With the line feed. */
  bytes(): Buffer {
    return this.#lines.block.subarray(this.#lines.start, this.#lines.end + 1);
  }

  equals(other: DifferenceCursor): boolean {
    return isSameRow(this.#lines, other.#lines);
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}

/** A row by its first field, unless that has an escape. */
const LINE = /^\{"(\w+)":"([^"\\]+)",(".*)\}$/s;
const REMOVED = '"removed":true';

/** The first fields of the lines in a block. */
class BlockKeys {
  readonly #block: Buffer;
  readonly #begin: number;
  readonly #name: string;
  readonly last: string;

  constructor(block: Buffer, { field, name }: Differences) {
    this.#block = block;
    this.#begin = `{${JSON.stringify(field)}:`.length;
    this.#name = name;
    this.last = this.at(block.lastIndexOf(NEWLINE, block.length - 2) + 1);
  }

  /** Of the line that begins at this position. */
  at(start: number): string {
    const text = this.#block.subarray(start + this.#begin, this.after(start)).toString("utf8");
    const literal = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
    if (literal !== undefined) return JSON.parse(literal) as string;
    throw damage(`The base of ${this.#name} has a row that does not begin with its key.`);
  }

  after(start: number): number {
    return this.#block.indexOf(NEWLINE, start) + 1;
  }

  /** The first line from `from` on whose field is not before `key`; there is one. */
  seek(from: number, key: string): number {
    let [low, high] = [from, this.#block.length];
    while (low < high) {
      const at = Math.max(low, this.#block.lastIndexOf(NEWLINE, ((low + high) >>> 1) - 1) + 1);
      if (this.at(at) < key) low = this.after(at);
      else high = at;
    }
    return low;
  }
}

/** Finds rows of a base, in their order. Opens it at the first call. */
class BaseSeeker {
  readonly #open: () => AsyncGenerator<Buffer>;
  readonly #differences: Differences;
  #blocks: AsyncGenerator<Buffer> | undefined;
  #block: Buffer = Buffer.alloc(0);
  #keys: BlockKeys | undefined;
  #at = 0;

  constructor(open: () => AsyncGenerator<Buffer>, differences: Differences) {
    this.#open = open;
    this.#differences = differences;
  }

  async find(key: string): Promise<Buffer | undefined> {
    this.#blocks ??= this.#open();
    while (this.#keys === undefined || this.#keys.last < key) {
      const { done, value } = await this.#blocks.next();
      if (done === true) return undefined;
      this.#block = value;
      this.#keys = new BlockKeys(value, this.#differences);
      this.#at = 0;
    }
    this.#at = this.#keys.seek(this.#at, key);
    if (this.#keys.at(this.#at) !== key) return undefined;
    return this.#block.subarray(this.#at, this.#keys.after(this.#at) - 1);
  }

  async close(): Promise<void> {
    await this.#blocks?.return(undefined);
  }
}
