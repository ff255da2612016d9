import { createHash } from "node:crypto";
import type { z } from "zod";
import { damage } from "./damage.js";
import { parseRow } from "./parse-row.js";
import { blocksOf, hashed, Line, LineCursor } from "./row-lines.js";
import { isSameRow } from "./same-row.js";

/** What a file of rows must be. */
export interface RowsExpected {
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
 * What is other in a file of rows than in the one before it, whose rows were found good: only that is parsed, all else is compared as bytes, and
 * is as good as it was there. A row that was only compared with the site again is not other. Checks each row's shape, that they are sorted
 * and each there once, and at the end that they are as many as the manifest says, with its sha256. Throws ArchiveError (exit 6) for
 * damage of either file. `before` null: every row is other.
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
export function expectAsSaid(found: Omit<RowsExpected, "name">, { name, count, sha256 }: RowsExpected): void {
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

  /** Passes over the row when it says the same. To be followed by `next` where it was the last one of its block. */
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

/** Rows that say the same as those before are in their order; each other one must be behind the last, whichever that was. */
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
