import fc from "fast-check";
import { expect, it } from "vitest";
import { AT_ONCE, Blocks } from "../../../src/storage/archive/blocks.js";
import "../../helpers/seed.js";

const BLOCK = 256 * 1024;

it("what comes out is what was added, in blocks of one size, also when these are used again", () => {
  const length = fc.oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.constantFrom(BLOCK - 1, BLOCK, BLOCK + 1, AT_ONCE, AT_ONCE + 1),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(length, fc.nat(255)), { maxLength: 12 }), fc.boolean(), (pieces, isGivenBack) => {
      const passed: Buffer[] = [];
      const blocks = new Blocks((bytes) => {
        passed.push(Buffer.from(bytes));
        if (isGivenBack) blocks.giveBack(bytes);
      });
      const added = pieces.map(([size, byte]) => Buffer.alloc(size, byte));
      const memory = Buffer.alloc(AT_ONCE);
      for (const piece of added) {
        if (piece.length > AT_ONCE) {
          blocks.add(piece);
          continue;
        }
        // The caller's memory is its own again at once.
        piece.copy(memory);
        blocks.add(memory.subarray(0, piece.length));
        memory.fill(0);
      }
      blocks.end();
      expect(Buffer.concat(passed).equals(Buffer.concat(added))).toBe(true);
      expect(passed.every(({ length: size }) => size > 0 && (size <= BLOCK || size > AT_ONCE))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it("a block that was given back is used for the next ones", () => {
  const passed: Buffer[] = [];
  const blocks = new Blocks((bytes) => passed.push(bytes));
  blocks.add(Buffer.alloc(BLOCK));
  const [first] = passed;
  if (first === undefined) throw new Error("No block came.");
  blocks.add(Buffer.alloc(BLOCK));
  expect(passed[1]?.buffer === first.buffer).toBe(false);
  blocks.giveBack(first);
  blocks.add(Buffer.alloc(BLOCK, 1));
  expect(passed[2]?.buffer === first.buffer).toBe(true);
});
