import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LineSorter, type Sorted } from "../../../../src/storage/repository/write/line-sorter.js";
import "../../../helpers/seed.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

/**
 * Keys of few letters, so that many are equal, and of letters where code units and code points sort
 * differently.
 */
const KEY = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "/", "\u{ffee}", "\u{1f9f6}"), maxLength: 4 }),
  fc.string({ unit: "binary" }),
);
const ROW = fc.record({
  key: KEY,
  value: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u2028", "a\nb", "\r\n")),
});

async function all<Value>(sorter: LineSorter<Value>): Promise<readonly Sorted<Value>[]> {
  const rows: Sorted<Value>[] = [];
  for await (const row of sorter.sorted()) rows.push(row);
  return rows;
}

it("sorts by code units whatever fits into memory, and keeps the first of equal keys", async () => {
  const folder = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(ROW, { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), async (rows, held) => {
      const sorter = new LineSorter<string>(folder, { rows: held, characters: 1e9 });
      for (const { key, value } of rows) await sorter.add(key, value);
      const firsts = new Map(rows.toReversed().map(({ key, value }) => [key, value]));
      const expected = [...firsts.keys()].sort().map((key) => ({ key, value: firsts.get(key) }));
      expect(await all(sorter)).toEqual(expected);
      // A second reader finds the same.
      expect(await all(sorter)).toEqual(expected);
      await sorter.close();
    }),
    { numRuns: 60 },
  );
  expect(readdirSync(folder)).toEqual([]);
});

it("puts what is too much for memory on the disk, and takes it away", async () => {
  const folder = await temporaryFolder();
  const sorter = new LineSorter<string>(folder, { rows: 1e9, characters: 1000 });
  for (let at = 0; at < 300; at += 1) await sorter.add(String((at * 7919) % 300).padStart(5, "0"), "x".repeat(50));
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await all(sorter)).map(({ key }) => Number(key))).toEqual(Array.from({ length: 300 }, (_, at) => at));
  await sorter.close();
  expect(readdirSync(folder)).toEqual([]);
});

it("lets go of its files when a reader stops early", async () => {
  const folder = await temporaryFolder();
  const sorter = new LineSorter<string>(folder, { rows: 2, characters: 1e9 });
  for (const key of ["c", "a", "b", "e", "d"]) await sorter.add(key, "");
  for await (const { key } of sorter.sorted()) if (key === "b") break;
  expect((await all(sorter)).map(({ key }) => key)).toEqual(["a", "b", "c", "d", "e"]);
  await sorter.close();
});
