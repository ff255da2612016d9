import { createHash } from "node:crypto";
import type { z } from "zod";
import { damage } from "./damage.js";

/**
 * The rows of a file, streamed: each of its shape, sorted and once by `keyOf`, and at the end as
 * many as the manifest says, with its sha256. Throws ArchiveError (exit 6).
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

/**
 * The same rows as `readRows`, as many at a time as come together: who wants all of a large site
 * need not wait for each. Throws as that does.
 */
export async function* readRowBatches<Row>(
  pieces: AsyncIterable<Buffer>,
  { schema, keyOf }: RowShape<Row>,
  expected: RowsExpected,
): AsyncGenerator<readonly Row[]> {
  const { name } = expected;
  const hash = createHash("sha256");
  let count = 0;
  let last: string | undefined;
  for await (const block of blocksOf(hashed(pieces, hash), name)) {
    const rows: Row[] = [];
    for (let at = 0; at < block.length; at = block.indexOf(NEWLINE, at) + 1) {
      count += 1;
      const row = parseRow(block.subarray(at, block.indexOf(NEWLINE, at)), schema, `${name}, row ${count}`);
      const key = keyOf(row);
      if (last !== undefined && key <= last) throw damage(`${name}, row ${count}: ${key} stands behind ${last}.`);
      last = key;
      rows.push(row);
    }
    yield rows;
  }
  expectAsSaid({ count, sha256: hash.digest("hex") }, expected);
}

/** Rows by the beginning of their first field, which they are sorted by. */
interface Wanted {
  readonly field: string;
  /** What the field's value begins with, as JSON. */
  readonly literal: string;
  /** Does a row with this value stand behind all that are wanted? */
  readonly isBehind: (value: string) => boolean;
}

/**
 * The row whose first field, `field`, is `key`; undefined: there is none. The others are not
 * parsed, and those behind its place not even read: rows are sorted. Throws ArchiveError (exit 6)
 * for a row that is damaged.
 */
export async function findRow<Row>(
  pieces: AsyncIterable<Buffer>,
  schema: z.ZodType<Row>,
  field: string,
  key: string,
  name: string,
): Promise<Row | undefined> {
  const wanted: Wanted = { field, literal: `${JSON.stringify(key)},`, isBehind: (value) => value > key };
  for await (const line of linesWith(pieces, wanted, name)) return parseRow(line, schema, `${name}, ${key}`);
  return undefined;
}

/**
 * The rows whose first field, `field`, begins with `prefix`; the others are neither parsed nor
 * checked. Throws as findRow does.
 */
export async function* rowsBelow<Row>(
  pieces: AsyncIterable<Buffer>,
  schema: z.ZodType<Row>,
  field: string,
  prefix: string,
  name: string,
): AsyncGenerator<Row> {
  const literal = JSON.stringify(prefix).slice(0, -1);
  const isBehind = (value: string): boolean => value > prefix && !value.startsWith(prefix);
  for await (const line of linesWith(pieces, { field, literal, isBehind }, name))
    yield parseRow(line, schema, `${name}, ${prefix}…`);
}

async function* linesWith(
  pieces: AsyncIterable<Buffer>,
  { field, literal, isBehind }: Wanted,
  name: string,
): AsyncGenerator<Buffer> {
  const begin = Buffer.from(`{${JSON.stringify(field)}:`);
  const wanted = Buffer.concat([begin, Buffer.from(literal)]);
  for await (const block of blocksOf(pieces, name)) {
    for (let at = findLine(block, wanted, 0); at >= 0; ) {
      const end = block.indexOf(NEWLINE, at);
      yield block.subarray(at, end);
      at = findLine(block, wanted, end);
    }
    if (isBehind(keyOfLast(block, begin.length, name))) return;
  }
}

function findLine(block: Buffer, wanted: Buffer, from: number): number {
  for (let at = block.indexOf(wanted, from); at >= 0; at = block.indexOf(wanted, at + 1)) {
    if (at === 0 || block[at - 1] === NEWLINE) return at;
  }
  return -1;
}

/**
 * The key of the last line of whole lines: what stands between the field's name and the end of its
 * string.
 */
function keyOfLast(block: Buffer, begin: number, name: string): string {
  const at = block.lastIndexOf(NEWLINE, block.length - 2) + 1;
  const text = block.subarray(at + begin).toString("utf8");
  const literal = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (literal === undefined) throw damage(`${name} has a row that does not begin with its key.`);
  return JSON.parse(literal) as string;
}

export const NEWLINE = 0x0a;
/** A row of a foreign repository; one of ours has some hundred bytes. */
const LONGEST = 1024 * 1024;

/**
 * A line where it lies in its block, so that passing over it costs no object. Its end is not among
 * its bytes.
 */
class Line {
  block: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;

  /** Becomes another one. */
  take({ block, start, end }: Line): void {
    this.block = block;
    this.start = start;
    this.end = end;
  }

  bytes(): Buffer {
    return this.block.subarray(this.start, this.end);
  }
}

/** Goes from line to line; is the line that it stands on. */
class LineCursor extends Line {
  readonly #blocks: AsyncGenerator<Buffer>;
  #next = 0;
  /** Of the line, from 1; 0: it stands before the first one. */
  number = 0;
  isAtEnd = false;

  /** `blocks`: whole lines, see blocksOf. */
  constructor(blocks: AsyncGenerator<Buffer>) {
    super();
    this.#blocks = blocks;
  }

  /**
   * To the next line of the block. false: there is none, and `refill` is to be awaited: thousands
   * of lines need no turn of their own.
   */
  step(): boolean {
    if (this.#next >= this.block.length) return false;
    this.start = this.#next;
    this.end = this.block.indexOf(NEWLINE, this.start);
    this.#next = this.end + 1;
    this.number += 1;
    return true;
  }

  /** To the first line of the next block. false: there is none. */
  async refill(): Promise<boolean> {
    const { done, value } = await this.#blocks.next();
    this.isAtEnd = done === true;
    if (done === true) return false;
    this.block = value;
    this.#next = 0;
    return this.step();
  }

  /** Lets go of what the lines come from. */
  async close(): Promise<void> {
    await this.#blocks.return(undefined);
  }
}

/** Whole lines together, as they come. Throws ArchiveError (exit 6) where a line has no end. */
async function* blocksOf(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield rest.length === 0 ? piece.subarray(0, end) : Buffer.concat([rest, piece.subarray(0, end)]);
    rest = end > 0 ? piece.subarray(end) : Buffer.concat([rest, piece]);
    if (rest.length > LONGEST) throw damage(`${name} has a row without an end.`);
  }
  if (rest.length > 0) throw damage(`${name} ends within a row.`);
}

/** The same pieces, hashed as they pass. */
async function* hashed(pieces: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** What a file of rows must be. */
interface RowsExpected {
  /** For messages: `items.ndjson in site-….full.zip`. */
  readonly name: string;
  readonly count: number;
  readonly sha256: string;
}

/** The file of rows before, and what its manifest says. */
export interface RowsBefore extends Omit<RowsExpected, "name"> {
  readonly pieces: AsyncIterable<Buffer>;
}

/** What rows are, and what they are sorted by. */
export interface RowShape<Row> {
  readonly schema: z.ZodType<Row>;
  readonly keyOf: (row: Row) => string;
}

/** A row that one file has and another has not, or that is other in it. */
export type RowChange<Row> =
  | { readonly before: Row; readonly after: undefined }
  | { readonly before: Row | undefined; readonly after: Row };

/**
 * What is other in a file of rows than in the one before it, whose rows were found good: only that
 * is parsed, all else is compared as bytes, and is as good as it was there. A row that was only
 * compared with the site again is not other. Checks each row's shape, that they are sorted and each
 * there once, and at the end that they are as many as the manifest says, with its sha256. Throws
 * ArchiveError (exit 6) for damage of either file. `before` null: every row is other.
 */
export async function* readChangedRows<Row>(
  pieces: AsyncIterable<Buffer>,
  before: RowsBefore | null,
  shape: RowShape<Row>,
  expected: RowsExpected,
): AsyncGenerator<RowChange<Row>> {
  const { name } = expected;
  const hash = createHash("sha256");
  if (before?.sha256 === expected.sha256 && before.count === expected.count) {
    // It is the same file, when it is what its manifest says.
    for await (const _piece of hashed(pieces, hash));
    expectAsSaid({ count: before.count, sha256: hash.digest("hex") }, expected);
    return;
  }
  const own = new LineCursor(blocksOf(hashed(pieces, hash), name));
  const others = new BeforeRows(before?.pieces ?? nothing(), shape, `the rows before ${name}`);
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
    expectAsSaid({ count: own.number, sha256: hash.digest("hex") }, expected);
  } finally {
    await own.close();
    await others.close();
  }
}

async function* nothing(): AsyncGenerator<Buffer> {
  // There is no file before.
}

/** Throws ArchiveError (exit 6) where rows are not those that the manifest tells of. */
function expectAsSaid(found: Omit<RowsExpected, "name">, { name, count, sha256 }: RowsExpected): void {
  if (found.count !== count) throw damage(`${name} has ${found.count} rows, its manifest says ${count}.`);
  if (found.sha256 !== sha256) throw damage(`${name} has not the sha256 that its manifest says.`);
}

/** The rows of the file before, at the first one that nothing was found for yet. */
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

  /**
   * Passes over the row when it says the same. To be followed by `next` where it was the last one
   * of its block.
   */
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

/**
 * Rows that say the same as those before are in their order; each other one must be behind the
 * last, whichever that was.
 */
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
    if (last !== undefined && key <= last) throw damage(`${this.#name}, row ${number}: ${key} stands behind ${last}.`);
    this.#key = key;
    this.#isPassed = false;
  }

  #keyOfPassed(number: number): string {
    const { schema, keyOf } = this.#shape;
    return keyOf(parseRow(this.#passed.bytes(), schema, `${this.#name}, row ${number}`));
  }
}

const READ = Buffer.from(',"read":');
const COMMA = 0x2c;

/**
 * Do two rows say the same, but for when they were last compared with the site? That is another
 * time each night in the row of everything that lists show, and nothing else of it may be other. A
 * quote in a text has a backslash before it, so nothing but a field begins as this one does.
 */
function isSameRow(one: Line, other: Line): boolean {
  if (isEqual(one, one.start, other, other.start)) return true;
  const length = Math.min(one.end - one.start, other.end - other.start);
  let at = 0;
  while (at < length && one.block[one.start + at] === other.block[other.start + at]) at += 1;
  // The first difference may lie behind some digits that are the same.
  while (at > 0 && isDigit(one.block[one.start + at - 1])) at -= 1;
  if (!hasBefore(one, one.start + at)) return false;
  const [end, otherEnd] = [endOfNumber(one, one.start + at), endOfNumber(other, other.start + at)];
  return end !== undefined && otherEnd !== undefined && isEqual(one, end, other, otherEnd);
}

function hasBefore({ block, start }: Line, at: number): boolean {
  return at - READ.length >= start && block.compare(READ, 0, READ.length, at - READ.length, at) === 0;
}

/**
 * Where the comma behind a number stands; undefined: there is no number as JSON has it, or none
 * that is safe to be one.
 */
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

/** From there to the ends of the lines. */
function isEqual(one: Line, at: number, other: Line, otherAt: number): boolean {
  if (one.end - at !== other.end - otherAt) return false;
  return one.block.compare(other.block, otherAt, other.end, at, one.end) === 0;
}

/** The row of a line. `where`: for messages. Throws ArchiveError (exit 6). */
function parseRow<Row>(line: Buffer, schema: z.ZodType<Row>, where: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line.toString("utf8"));
  } catch (cause) {
    throw damage(`${where} is no JSON.`, cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damage(`${where} is damaged: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`);
}
