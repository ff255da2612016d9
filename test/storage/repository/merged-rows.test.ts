import { describe, expect, it } from "vitest";
import { mergedRows } from "../../../src/storage/repository/read/differences.js";

const OF = { name: "items.ndjson in site.zip", field: "key" };

async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

function rowsFrom(numbers: readonly number[], more: object = { title: "first" }): string {
  return numbers.map((number) => `${JSON.stringify({ key: `guide/${number}`, ...more })}\n`).join("");
}

async function merged(base: readonly string[], differences: string): Promise<readonly string[]> {
  const blocks: string[] = [];
  for await (const block of mergedRows(pieces(...base), pieces(differences), OF)) blocks.push(String(block));
  return blocks;
}

describe("rows of a base with the differences of a snapshot", () => {
  const all = Array.from({ length: 90 }, (_, at) => 10 + at);

  it("are given in one block for each block of the base, however many of its rows differ", async () => {
    const odd = all.filter((number) => number % 2 === 1);
    const base = [rowsFrom(all.slice(0, 40)), rowsFrom(all.slice(40))];
    const blocks = await merged(base, rowsFrom(odd, { title: "later" }));
    const expected = all.map((number) => rowsFrom([number], number % 2 === 1 ? { title: "later" } : undefined));
    expect(blocks).toEqual([expected.slice(0, 40).join(""), expected.slice(40).join("")]);
  });

  it("have added rows at their place, also at both ends, and lack the removed ones", async () => {
    const base = [rowsFrom([20, 30]), rowsFrom([40])];
    const blocks = await merged(base, rowsFrom([10, 25]) + rowsFrom([40, 41], { removed: true }) + rowsFrom([50]));
    expect(blocks.join("")).toBe(rowsFrom([10, 20, 25, 30, 50]));
  });

  it("are not found by a key that a text of another row contains", async () => {
    const hidden = `{"key":"guide/10","title":"{\\"key\\":\\"guide/20\\",","also":{"key":"guide/20","x":1}}\n`;
    const blocks = await merged([hidden + rowsFrom([20, 30])], rowsFrom([20], { title: "later" }));
    expect(blocks.join("")).toBe(hidden + rowsFrom([20], { title: "later" }) + rowsFrom([30]));
  });
});
