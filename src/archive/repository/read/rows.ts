import { createHash } from "node:crypto";
import type { z } from "zod";
import { damage } from "./damage.js";

const NEWLINE = 0x0a;
/** A row of a foreign repository; one of ours has some hundred bytes. */
const LONGEST = 1024 * 1024;

/** What a file of rows must be. */
export interface RowsExpected {
  /** For messages: `items.ndjson in site-….full.zip`. */
  readonly name: string;
  readonly count: number;
  readonly sha256: string;
}

/**
 * The rows of a file, streamed: each of its shape, sorted and once by `keyOf`, and at the end as many as the manifest says, with its sha256.
 * Throws ArchiveError (exit 6).
 */
export async function* readRows<Row>(
  pieces: AsyncIterable<Buffer>,
  schema: z.ZodType<Row>,
  keyOf: (row: Row) => string,
  expected: RowsExpected,
): AsyncGenerator<Row> {
  const hash = createHash("sha256");
  let count = 0;
  let last: string | undefined;
  for await (const line of linesOf(hashed(pieces, hash), expected.name)) {
    count += 1;
    const row = parseRow(line, schema, `${expected.name}, row ${count}`);
    const key = keyOf(row);
    if (last !== undefined && key <= last)
      throw damage(`${expected.name}, row ${count}: ${key} stands behind ${last}.`);
    last = key;
    yield row;
  }
  if (count !== expected.count)
    throw damage(`${expected.name} has ${count} rows, its manifest says ${expected.count}.`);
  if (hash.digest("hex") !== expected.sha256)
    throw damage(`${expected.name} has not the sha256 that its manifest says.`);
}

/**
 * The row whose first field, `field`, is `key`; undefined: there is none. The others are not parsed, and those behind its place not even read: rows
 * are sorted. Throws ArchiveError (exit 6) for a row that is damaged.
 */
export async function findRow<Row>(
  pieces: AsyncIterable<Buffer>,
  schema: z.ZodType<Row>,
  field: string,
  key: string,
  name: string,
): Promise<Row | undefined> {
  const begin = Buffer.from(`{${JSON.stringify(field)}:`);
  const wanted = Buffer.concat([begin, Buffer.from(`${JSON.stringify(key)},`)]);
  for await (const block of blocksOf(pieces, name)) {
    const at = findLine(block, wanted);
    if (at >= 0) return parseRow(block.subarray(at, block.indexOf(NEWLINE, at)), schema, `${name}, ${key}`);
    if (keyOfLast(block, begin.length, name) > key) return undefined;
  }
  return undefined;
}

function findLine(block: Buffer, wanted: Buffer): number {
  for (let at = block.indexOf(wanted); at >= 0; at = block.indexOf(wanted, at + 1)) {
    if (at === 0 || block[at - 1] === NEWLINE) return at;
  }
  return -1;
}

/** The key of the last line of whole lines: what stands between the field's name and the end of its string. */
function keyOfLast(block: Buffer, begin: number, name: string): string {
  const at = block.lastIndexOf(NEWLINE, block.length - 2) + 1;
  const text = block.subarray(at + begin).toString("utf8");
  const literal = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (literal === undefined) throw damage(`${name} has a row that does not begin with its key.`);
  return JSON.parse(literal) as string;
}

/** Whole lines together, as they come. */
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

async function* linesOf(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  for await (const block of blocksOf(pieces, name)) {
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(NEWLINE, at);
      yield block.subarray(at, end);
      at = end + 1;
    }
  }
}

async function* hashed(pieces: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

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
