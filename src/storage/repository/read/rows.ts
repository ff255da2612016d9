import { createHash } from "node:crypto";
import type { z } from "zod";
import { expectAsSaid, type RowShape, type RowsExpected, readChangedRows } from "./changed-rows.js";
import { damage } from "./damage.js";
import { parseRow } from "./parse-row.js";
import { blocksOf, hashed, NEWLINE } from "./row-lines.js";

/**
 * The rows of a file, streamed: each of its shape, sorted and once by `keyOf`, and at the end as many as the manifest says, with its sha256.
 * Throws ArchiveError (exit 6).
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

/** The same rows as `readRows`, as many at a time as come together: who wants all of a large site need not wait for each. Throws as that does. */
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
