import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { merged } from "../../../../src/core/util/iterables.js";
import { findRow, readRowBatches, readRows } from "../../../../src/storage/repository/read/rows.js";
import "../../../helpers/seed.js";

const schema = z.object({ key: z.string(), text: z.string() });
type Row = z.infer<typeof schema>;

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('{"key":"a",', '\n{"key":"b",', "\\", '"'),
);
const rows = fc.uniqueArray(fc.record({ key: text, text }), { selector: ({ key }) => key, maxLength: 12 });
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 });

function sorted(all: readonly Row[]): readonly Row[] {
  return all.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function bytesOf(all: readonly Row[]): Buffer {
  return Buffer.from(all.map(({ key, text: rest }) => `${JSON.stringify({ key, text: rest })}\n`).join(""));
}

async function* pieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

function read(
  bytes: Buffer,
  lengths: readonly number[],
  facts: { readonly count: number; readonly sha256: string },
): Promise<readonly Row[]> {
  return collect(readRows(pieces(bytes, lengths), { schema, keyOf: ({ key }) => key }, { name: "rows", ...facts }));
}

async function collect<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

function factsOf(bytes: Buffer, count: number) {
  return { count, sha256: createHash("sha256").update(bytes).digest("hex") };
}

describe("the rows of a file", () => {
  it("come as they were written, however the bytes arrive, and each is found by its key alone", async () => {
    await fc.assert(
      fc.asyncProperty(rows, cuts, text, async (all, lengths, other) => {
        const list = sorted(all);
        const bytes = bytesOf(list);
        expect(await read(bytes, lengths, factsOf(bytes, list.length))).toEqual(list);
        for (const key of [...list.map((row) => row.key), other]) {
          const found = await findRow(pieces(bytes, lengths), schema, "key", key, "rows");
          expect(found).toEqual(list.find((row) => row.key === key));
        }
      }),
    );
  });

  it("are refused when one is changed, missing, twice, out of its order, or cut", async () => {
    const list = sorted([
      { key: "guide/1", text: "a" },
      { key: "guide/2", text: "b" },
      { key: "guide/3", text: "c" },
    ]);
    const bytes = bytesOf(list);
    const facts = factsOf(bytes, 3);
    const wrong: readonly (readonly [Buffer, typeof facts])[] = [
      [Buffer.from(bytes.toString().replace('"b"', '"x"')), facts],
      [bytesOf(list.slice(1)), facts],
      [bytesOf(list.toReversed()), factsOf(bytesOf(list.toReversed()), 3)],
      [bytesOf([...list, ...list.slice(2)]), factsOf(bytesOf([...list, ...list.slice(2)]), 4)],
      [bytes.subarray(0, -1), factsOf(bytes.subarray(0, -1), 3)],
      [Buffer.from('{"key":1,"text":""}\n'), factsOf(Buffer.from('{"key":1,"text":""}\n'), 1)],
      [Buffer.from("half\n"), factsOf(Buffer.from("half\n"), 1)],
    ];
    for (const [content, said] of wrong) await expect(read(content, [7], said)).rejects.toMatchObject({ exitCode: 6 });
  });

  it("are not read any further than their place", async () => {
    const list = sorted(Array.from({ length: 1000 }, (_, at) => ({ key: `guide/${at}`, text: "x".repeat(50) })));
    let given = 0;
    const counted = async function* () {
      for await (const piece of pieces(bytesOf(list), [1000])) {
        given += piece.length;
        yield piece;
      }
    };
    expect(await findRow(counted(), schema, "key", "guide/100000", "rows")).toBeUndefined();
    expect(given).toBeLessThan(3000);
  });
});

describe("two lists side by side", () => {
  it("give each row once, with its pair", async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, async (all, others) => {
        const [one, other] = [sorted(all), sorted(others)];
        const pairs = await collect(merged(pieces2(one), pieces2(other), ({ key }) => key));
        const keys = [...new Set([...one, ...other].map(({ key }) => key))].sort((a, b) => (a < b ? -1 : 1));
        const find = (list: readonly Row[], key: string) => list.find((row) => row.key === key);
        expect(pairs).toEqual(keys.map((key) => [find(one, key), find(other, key)]));
      }),
    );
  });
});

it("those before a damaged row come in a batch too, so that a check names their damaged contents", async () => {
  const good = sorted([
    { key: "a", text: "one" },
    { key: "b", text: "two" },
  ]);
  const bytes = Buffer.concat([bytesOf(good), Buffer.from('{"key":"c"}\n'), bytesOf([{ key: "d", text: "four" }])]);
  const found: Row[] = [];
  const reading = async (): Promise<void> => {
    const shape = { schema, keyOf: ({ key }: Row) => key };
    for await (const batch of readRowBatches(pieces(bytes, [bytes.length]), shape, { name: "rows" }))
      found.push(...batch);
  };
  await expect(reading()).rejects.toThrow(/rows, row 3/);
  expect(found).toEqual(good);
});

async function* pieces2<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}
