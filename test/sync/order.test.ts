import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { waves } from "../../src/sync/order.js";

const key = (id: number): Key => `guide/${id}`;

test("what needs nothing comes first, and everything comes after what it needs", () => {
  const needs = new Map<Key, Key[]>([
    [key(1), [key(2), key(3)]],
    [key(2), [key(3)]],
  ]);
  expect(waves([key(1), key(2), key(3), key(4)], needs)).toEqual([[key(3), key(4)], [key(2)], [key(1)]]);
});

test("a cycle is broken, and what hangs on it still comes after it", () => {
  const needs = new Map<Key, Key[]>([
    [key(1), [key(2)]],
    [key(2), [key(1)]],
    [key(3), [key(1)]],
  ]);
  expect(waves([key(1), key(2), key(3)], needs)).toEqual([[key(2)], [key(1)], [key(3)]]);
});

test("a need outside of the given keys, and one of itself, do not count", () => {
  const needs = new Map<Key, Key[]>([[key(1), [key(1), key(9)]]]);
  expect(waves([key(1)], needs)).toEqual([[key(1)]]);
});

test("a chain of a hundred thousand does not exhaust the stack", () => {
  const count = 100_000;
  const keys = Array.from({ length: count }, (_, index) => key(index));
  const needs = new Map(keys.map((each, index) => [each, index + 1 < count ? [key(index + 1)] : []]));
  const result = waves(keys, needs);
  expect(result).toHaveLength(count);
  expect(result[0]).toEqual([key(count - 1)]);
});

test("in every graph each key comes exactly once, and without cycles after all that it needs", () => {
  const edges = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 40 });
  fc.assert(
    fc.property(edges, fc.boolean(), (pairs, acyclic) => {
      const needs = new Map<Key, Key[]>();
      for (const [from, to] of pairs) {
        if (acyclic && to >= from) continue;
        needs.set(key(from), [...(needs.get(key(from)) ?? []), key(to)]);
      }
      const keys = Array.from({ length: 13 }, (_, index) => key(index));
      const result = waves(keys, needs);
      expect(result.flat().sort()).toEqual([...keys].sort());
      if (!acyclic) return;
      const waveOf = new Map(result.flatMap((wave, index) => wave.map((each) => [each, index] as const)));
      for (const [from, tos] of needs)
        for (const to of tos) expect(waveOf.get(to)).toBeLessThan(waveOf.get(from) ?? -1);
    }),
  );
});
