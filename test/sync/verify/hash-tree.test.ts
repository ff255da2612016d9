import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DigestList, rootFrom } from "../../../src/sync/verify/report/report-format.js";

const digests = fc.array(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  { minLength: 1, maxLength: 70 },
);

/**
 * The definition of RFC 9162, section 2.1.1, word for word: divided at the largest power of two
 * below the number.
 */
function definedRoot(entries: readonly string[]): Buffer {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return sha(Buffer.from([0]), Buffer.from(only, "hex"));
  let middle = 1;
  while (middle * 2 < entries.length) middle *= 2;
  return sha(Buffer.from([1]), definedRoot(entries.slice(0, middle)), definedRoot(entries.slice(middle)));
}

function sha(...parts: readonly Buffer[]): Buffer {
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}

function treeOf(entries: readonly string[]) {
  const list = new DigestList();
  for (const entry of entries) list.add(entry);
  return list.tree();
}

test("the root is that of RFC 9162, and each proof leads there from its own entry alone", () => {
  fc.assert(
    fc.property(digests, (entries) => {
      const tree = treeOf(entries);
      expect(tree.root).toBe(definedRoot(entries).toString("hex"));
      const unique = new Set(entries).size === entries.length;
      entries.forEach((entry, place) => {
        expect(rootFrom(entry, tree.proof(place))).toBe(tree.root);
        const other = entries[(place + 1) % entries.length] ?? "";
        if (unique && entries.length > 1) expect(rootFrom(other, tree.proof(place))).not.toBe(tree.root);
      });
    }),
  );
});

test("thousands of entries keep their places", () => {
  const entries = Array.from({ length: 3001 }, (_, index) => createHash("sha256").update(String(index)).digest("hex"));
  const tree = treeOf(entries);
  expect(tree.root).toBe(definedRoot(entries).toString("hex"));
  for (const place of [0, 1, 1023, 1024, 2047, 2999, 3000])
    expect(rootFrom(entries[place] ?? "", tree.proof(place))).toBe(tree.root);
  expect(tree.proof(1500)).toHaveLength(12);
});
