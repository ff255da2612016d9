import { createHash } from "node:crypto";
import type { z } from "zod";
import { isObject } from "../../../core/util/json.js";
import { type RowsFacts, rowSum } from "../format.js";
import { damage } from "./damage.js";

/**
 * The rows of a file, streamed. Throws ArchiveError (exit 6) for an invalid, unsorted or repeated
 * row, and at the end when count or sha256 differ from the manifest.
 */
export async function* readRows<Row>(
  pieces: AsyncIterable<Buffer>,
  shape: RowShape<Row>,
  expected: RowsExpected,
): AsyncGenerator<Row> {
  for await (const { after } of readChangedRows(pieces, null, shape, expected)) {
    if (after !== undefined) yield after;
  }
}

/** The same rows in batches, without an await for each row; those before a damaged one too. */
export async function* readRowBatches<Row>(
  pieces: AsyncIterable<Buffer>,
  { schema, keyOf, usual }: RowShape<Row>,
  expected: RowsExpected,
): AsyncGenerator<readonly Row[]> {
  const { name } = expected;
  const hash = createHash("sha256");
  let count = 0;
  let last: string | undefined;
  for await (const block of blocksOf(hashedFor(expected, pieces, hash), name)) {
    const rows: Row[] = [];
    try {
      for (let at = 0, end = 0; at < block.length; at = end + 1) {
        count += 1;
        end = block.indexOf(NEWLINE, at);
        const where = `${name}, row ${count}`;
        const value = parseLine(block.subarray(at, end), where);
        const row = usual?.(value) ?? checkRow(value, schema, where);
        const key = keyOf(row);
        if (last !== undefined && key <= last)
          throw damage(`${name}, row ${count}: ${key} comes after ${last}, but rows must be sorted.`);
        last = key;
        rows.push(row);
      }
    } catch (error) {
      // The rows before a damaged one are good.
      yield rows;
      throw error;
    }
    yield rows;
  }
  expectAsDeclared({ count, sha256: hash.digest("hex") }, expected);
}

/** A search by the first field, by which rows are sorted. */
interface Wanted {
  readonly field: string;
  /** The beginnings of the values, as JSON, in the order of the rows. */
  readonly literals: readonly string[];
  /** Does the value come after all wanted rows? */
  readonly isBehind: (value: string) => boolean;
}

/**
 * The row whose first field, `field`, is `key`; undefined: there is none. Other rows are not
 * parsed, and later ones are not read. Throws ArchiveError (exit 6) for a damaged row, also by its
 * checksum.
 */
export async function findRow<Row>(
  pieces: AsyncIterable<Buffer>,
  schema: z.ZodType<Row>,
  field: string,
  key: string,
  name: string,
): Promise<Row | undefined> {
  const wanted: Wanted = { field, literals: [`${JSON.stringify(key)},`], isBehind: (value) => value > key };
  for await (const [line] of linesWith(pieces, wanted, name))
    if (line !== undefined) return parseRow(line, schema, `${name}, ${key}`, true);
  return undefined;
}

/**
 * The lines of the rows whose first field begins with one of `prefixes`, which are sorted, in
 * batches. They are not parsed, and other rows are not checked. As findRow.
 */
export async function* linesBelow(
  pieces: AsyncIterable<Buffer>,
  field: string,
  prefixes: readonly string[],
  name: string,
): AsyncGenerator<readonly string[]> {
  const last = prefixes.at(-1) ?? "";
  const literals = prefixes.map((prefix) => JSON.stringify(prefix).slice(0, -1));
  const isBehind = (value: string): boolean => value > last && !value.startsWith(last);
  yield* linesWith(pieces, { field, literals, isBehind }, name);
}

/** Those of a block together, as text: a Buffer for each line takes twice the time. */
async function* linesWith(
  pieces: AsyncIterable<Buffer>,
  { field, literals, isBehind }: Wanted,
  name: string,
): AsyncGenerator<readonly string[]> {
  const begin = `{${JSON.stringify(field)}:`;
  const begins = literals.map((literal) => `${begin}${literal}`);
  const wanted = begins.map((text) => Buffer.from(text));
  for await (const block of blocksOf(pieces, name)) {
    const found = wanted.map((bytes) => findLine(block, bytes, 0)).filter((at) => at >= 0);
    if (found.length > 0) {
      const lines = block.toString("utf8", Math.min(...found), block.length - 1).split("\n");
      yield lines.filter((line) => begins.some((text) => line.startsWith(text)));
    }
    if (isBehind(keyOfLast(block, begin.length, name))) return;
  }
}

/** The position of the first line from `from` on that begins with these bytes; -1: none. */
function findLine(block: Buffer, wanted: Buffer, from: number): number {
  for (let at = block.indexOf(wanted, from); at >= 0; at = block.indexOf(wanted, at + 1)) {
    if (at === 0 || block[at - 1] === NEWLINE) return at;
  }
  return -1;
}

function keyOfLast(block: Buffer, begin: number, name: string): string {
  const at = block.lastIndexOf(NEWLINE, block.length - 2) + 1;
  const text = block.subarray(at + begin).toString("utf8");
  const literal = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (literal === undefined) throw damage(`${name} has a row that does not begin with its key.`);
  return JSON.parse(literal) as string;
}

export const NEWLINE = 0x0a;
/** The limit of a row. One that guideferry writes has some hundred bytes. */
export const MOST_ROW_BYTES = 1024 * 1024;

/** A line as positions in its block, without an object for each line; `end` is its line feed. */
export class Line {
  block: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;

  take({ block, start, end }: Line): void {
    this.block = block;
    this.start = start;
    this.end = end;
  }

  bytes(): Buffer {
    return this.block.subarray(this.start, this.end);
  }
}

/** A cursor over lines; it is the current line. */
export class LineCursor extends Line {
  readonly #blocks: AsyncGenerator<Buffer>;
  #next = 0;
  /** The number of the line, from 1; 0: before the first line. */
  number = 0;
  isAtEnd = false;

  /** `blocks`: whole lines, see blocksOf. */
  constructor(blocks: AsyncGenerator<Buffer>) {
    super();
    this.#blocks = blocks;
  }

  /** Goes to the next line of the block. false: there is none; await `refill`. */
  step(): boolean {
    if (this.#next >= this.block.length) return false;
    this.start = this.#next;
    this.end = this.block.indexOf(NEWLINE, this.start);
    this.#next = this.end + 1;
    this.number += 1;
    return true;
  }

  async refill(): Promise<boolean> {
    const { done, value } = await this.#blocks.next();
    this.isAtEnd = done === true;
    if (done === true) return false;
    this.block = value;
    this.#next = 0;
    return this.step();
  }

  async close(): Promise<void> {
    await this.#blocks.return(undefined);
  }
}

/** Blocks of complete lines. Throws ArchiveError (exit 6) for a line without an end. */
export async function* blocksOf(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield rest.length === 0 ? piece.subarray(0, end) : Buffer.concat([rest, piece.subarray(0, end)]);
    rest = end > 0 ? piece.subarray(end) : Buffer.concat([rest, piece]);
    if (rest.length > MOST_ROW_BYTES) throw damage(`${name} has a row of more than ${MOST_ROW_BYTES} bytes.`);
  }
  if (rest.length > 0) throw damage(`${name} ends in the middle of a row.`);
}

async function* hashed(pieces: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** Nobody needs the hash of pieces that check themselves. */
function hashedFor(
  { sha256 }: RowsExpected,
  pieces: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncIterable<Buffer> {
  return sha256 === undefined ? pieces : hashed(pieces, hash);
}

interface RowsExpected {
  /** For messages: `items.ndjson in site-….full.zip`. */
  readonly name: string;
  /** Both undefined: the pieces check themselves. */
  readonly count?: number;
  readonly sha256?: string;
}

/** The file of rows of an earlier snapshot, with the facts of its manifest. */
export interface RowsBefore<Row> extends Omit<RowsExpected, "name"> {
  readonly pieces: AsyncIterable<Buffer>;
  /** Default: as the later rows. */
  readonly shape?: RowShape<Row>;
}

/** The schema and the sort key of rows. */
export interface RowShape<Row> {
  readonly schema: z.ZodType<Row>;
  readonly keyOf: (row: Row) => string;
  /** Checks a value faster than the schema. undefined, or no function: the schema decides. */
  readonly usual?: (value: unknown) => Row | undefined;
}

/** A row that is missing or different in one of two files. */
export type RowChange<Row> =
  | { readonly before: Row; readonly after: undefined }
  | { readonly before: Row | undefined; readonly after: Row };

/**
 * The rows that differ from those of an earlier, checked file; null: all. Only these are parsed;
 * the others are compared as bytes. A row in which only `read` differs counts as equal. Checks the
 * rows as `readRows`. Throws ArchiveError (exit 6) for damage of either file.
 */
export async function* readChangedRows<Row>(
  pieces: AsyncIterable<Buffer>,
  before: RowsBefore<Row> | null,
  shape: RowShape<Row>,
  expected: RowsExpected,
): AsyncGenerator<RowChange<Row>> {
  const { name } = expected;
  const hash = createHash("sha256");
  const isKnown = expected.sha256 !== undefined && before?.sha256 === expected.sha256;
  if (isKnown && before.count === expected.count) {
    // The files are equal if this one matches its manifest.
    for await (const _piece of hashed(pieces, hash));
    expectAsDeclared({ count: before.count ?? 0, sha256: hash.digest("hex") }, expected);
    return;
  }
  const own = new LineCursor(blocksOf(hashedFor(expected, pieces, hash), name));
  const others = new BeforeRows(before?.pieces ?? nothing(), before?.shape ?? shape, `the file of rows before ${name}`);
  const order = new Order(shape, name);
  try {
    await others.next();
    while (own.step() || (await own.refill())) {
      if (others.stepIfSame(own)) order.passed(own);
      else {
        const after = parseRow(own.bytes(), shape.schema, `${name}, row ${own.number}`);
        const key = shape.keyOf(after);
        order.expectBehind(key, own.number);
        while (others.hasBefore(key)) yield { before: await others.take(), after: undefined };
        if (!others.stepIfSame(own)) yield { before: others.has(key) ? await others.take() : undefined, after };
      }
      if (others.isBehindBlock) await others.next();
    }
    while (!others.isAtEnd) yield { before: await others.take(), after: undefined };
    expectAsDeclared({ count: own.number, sha256: hash.digest("hex") }, expected);
  } finally {
    await own.close();
    await others.close();
  }
}

async function* nothing(): AsyncGenerator<Buffer> {
  // There is no earlier file.
}

export function expectAsDeclared(found: RowsFacts, { name, count, sha256 }: RowsExpected): void {
  if (sha256 === undefined) return;
  if (found.count !== count) throw damage(`${name} has ${found.count} rows instead of the ${count} in its manifest.`);
  if (found.sha256 !== sha256) throw damage(`${name} does not have the sha256 in its manifest.`);
}

/** The rows of the earlier file, at the first one without a counterpart so far. */
class BeforeRows<Row> {
  readonly #cursor: LineCursor;
  readonly #shape: RowShape<Row>;
  readonly #name: string;
  #row: Row | undefined;
  isBehindBlock = false;

  constructor(pieces: AsyncIterable<Buffer>, shape: RowShape<Row>, name: string) {
    this.#cursor = new LineCursor(blocksOf(pieces, name));
    this.#shape = shape;
    this.#name = name;
  }

  get isAtEnd(): boolean {
    return this.#cursor.isAtEnd;
  }

  /** Passes over an equal row. If `isBehindBlock` is true then, call `next`. */
  stepIfSame(line: Line): boolean {
    if (this.isAtEnd || !isSameRow(line, this.#cursor)) return false;
    this.#row = undefined;
    this.isBehindBlock = !this.#cursor.step();
    return true;
  }

  async next(): Promise<void> {
    this.#row = undefined;
    this.isBehindBlock = false;
    if (!this.#cursor.step()) await this.#cursor.refill();
  }

  hasBefore(key: string): boolean {
    return !this.isAtEnd && this.#key() < key;
  }

  has(key: string): boolean {
    return !this.isAtEnd && this.#key() === key;
  }

  async take(): Promise<Row> {
    const row = this.#parsed();
    await this.next();
    return row;
  }

  async close(): Promise<void> {
    await this.#cursor.close();
  }

  #key(): string {
    return this.#shape.keyOf(this.#parsed());
  }

  #parsed(): Row {
    this.#row ??= parseRow(this.#cursor.bytes(), this.#shape.schema, `${this.#name}, row ${this.#cursor.number}`);
    return this.#row;
  }
}

/** Checks the order: equal rows are sorted as in the earlier file, each other one is compared. */
class Order<Row> {
  readonly #shape: RowShape<Row>;
  readonly #name: string;
  readonly #passed = new Line();
  #key: string | undefined;
  #isPassed = false;

  constructor(shape: RowShape<Row>, name: string) {
    this.#shape = shape;
    this.#name = name;
  }

  passed(line: Line): void {
    this.#passed.take(line);
    this.#isPassed = true;
  }

  expectBehind(key: string, number: number): void {
    const last = this.#isPassed ? this.#keyOfPassed(number - 1) : this.#key;
    if (last !== undefined && key <= last)
      throw damage(`${this.#name}, row ${number}: ${key} comes after ${last}, but rows must be sorted.`);
    this.#key = key;
    this.#isPassed = false;
  }

  #keyOfPassed(number: number): string {
    const { schema, keyOf } = this.#shape;
    return keyOf(parseRow(this.#passed.bytes(), schema, `${this.#name}, row ${number}`));
  }
}

export const READ = Buffer.from(',"read":');
const COMMA = 0x2c;

/**
 * Are two rows equal except for `read`, which changes in each snapshot? A quote in a text has a
 * backslash before it, so `,"read":` can only be the field.
 */
export function isSameRow(one: Line, other: Line): boolean {
  if (isEqual(one, one.start, other, other.start)) return true;
  const length = Math.min(one.end - one.start, other.end - other.start);
  let at = 0;
  while (at < length && one.block[one.start + at] === other.block[other.start + at]) at += 1;
  // The first difference may come after equal digits of the number.
  while (at > 0 && isDigit(one.block[one.start + at - 1])) at -= 1;
  if (!hasBefore(one, one.start + at)) return false;
  const [end, otherEnd] = [endOfNumber(one, one.start + at), endOfNumber(other, other.start + at)];
  return end !== undefined && otherEnd !== undefined && isEqual(one, end, other, otherEnd);
}

function hasBefore({ block, start }: Line, at: number): boolean {
  return at - READ.length >= start && block.compare(READ, 0, READ.length, at - READ.length, at) === 0;
}

/** The position of the comma after a number; undefined: not a valid or not a safe number. */
function endOfNumber({ block, end }: Line, from: number): number | undefined {
  let at = from;
  while (at < end && isDigit(block[at])) at += 1;
  const length = at - from;
  const isNumber = length > 0 && length <= 15 && (length === 1 || block[from] !== 0x30);
  return isNumber && block[at] === COMMA ? at : undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isEqual(one: Line, at: number, other: Line, otherAt: number): boolean {
  if (one.end - at !== other.end - otherAt) return false;
  return one.block.compare(other.block, otherAt, other.end, at, one.end) === 0;
}

/**
 * `where`: for messages. `isSummed`: a checksum in the row is compared. Throws ArchiveError (exit
 * 6).
 */
export function parseRow<Row>(line: Buffer | string, schema: z.ZodType<Row>, where: string, isSummed = false): Row {
  const value = parseLine(line, where);
  if (isSummed && isObject(value) && value["sum"] !== undefined && value["sum"] !== rowSum(value))
    throw damage(`${where} does not match its checksum.`);
  return checkRow(value, schema, where);
}

function parseLine(line: Buffer | string, where: string): unknown {
  try {
    return JSON.parse(line.toString());
  } catch (cause) {
    throw damage(`${where} is not JSON.`, cause);
  }
}

/** Throws ArchiveError (exit 6) when the value is not a row. */
export function checkRow<Row>(value: unknown, schema: z.ZodType<Row>, where: string): Row {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damage(`${where} is damaged: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`);
}
