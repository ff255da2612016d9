import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LineSorter, type SortedLine } from "../../../../src/storage/repository/write/line-sorter.js";
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
  line: fc
    .oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u2028", "a\tb", "\r"))
    .map((text) => text.replaceAll("\n", "")),
});

async function all(sorter: LineSorter): Promise<readonly SortedLine[]> {
  const all: SortedLine[] = [];
  for await (const lines of sorter.sorted()) all.push(...lines);
  return all;
}

it("sorts by code units whatever fits into memory, and keeps the first of equal keys", async () => {
  const folder = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(ROW, { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), async (rows, held) => {
      const sorter = new LineSorter(folder, { lines: held, characters: 1e9 });
      for (const { key, line } of rows) await sorter.add(key, line);
      const firsts = new Map(rows.toReversed().map(({ key, line }) => [key, line]));
      const expected = [...firsts.keys()].sort().map((key) => ({ key, line: firsts.get(key) }));
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
  const sorter = new LineSorter(folder, { lines: 1e9, characters: 1000 });
  for (let at = 0; at < 300; at += 1) await sorter.add(String((at * 7919) % 300).padStart(5, "0"), "x".repeat(50));
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await all(sorter)).map(({ key }) => Number(key))).toEqual(Array.from({ length: 300 }, (_, at) => at));
  await sorter.close();
  expect(readdirSync(folder)).toEqual([]);
});

it("merges files that are too many to be read side by side, and still keeps the first of equal keys", async () => {
  const sorter = new LineSorter(await temporaryFolder(), { lines: 1, characters: 1e9 });
  for (let at = 0; at < 300; at += 1) await sorter.add(String((at * 7) % 100).padStart(2, "0"), String(at));
  const firsts = Array.from({ length: 100 }, (_, at) => ({
    key: String((at * 7) % 100).padStart(2, "0"),
    line: String(at),
  }));
  expect(await all(sorter)).toEqual(firsts.toSorted((one, other) => (one.key < other.key ? -1 : 1)));
  await sorter.close();
});

it("gives lines of a file whole that is read in several pieces", async () => {
  const sorter = new LineSorter(await temporaryFolder(), { lines: 30, characters: 1e9 });
  const rows = Array.from({ length: 30 }, (_, at) => ({
    key: String(at).padStart(2, "0"),
    line: `${at} ä\u{1f9f6}`.repeat(at * 500),
  }));
  for (const { key, line } of rows) await sorter.add(key, line);
  expect(await all(sorter)).toEqual(rows);
  await sorter.close();
});

it("lets go of its files when a reader stops early", async () => {
  const folder = await temporaryFolder();
  const sorter = new LineSorter(folder, { lines: 2, characters: 1e9 });
  for (const key of ["c", "a", "b", "e", "d"]) await sorter.add(key, "");
  for await (const lines of sorter.sorted()) if (lines.length > 0) break;
  expect((await all(sorter)).map(({ key }) => key)).toEqual(["a", "b", "c", "d", "e"]);
  await sorter.close();
});
