import fc from "fast-check";
import { expect, it } from "vitest";
import "../../helpers/seed.js";
import { PackedRecords } from "../../../src/web/reader/packed-rows.js";

const key = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ minLength: 1 }).map((text) => `${text}\ud800`),
);
const long = fc.nat(9).map((more) => "ü".repeat(600_000 + more));
const value = fc.oneof({ weight: 20, arbitrary: fc.string() }, { weight: 20, arbitrary: fc.array(fc.integer()) }, long);

it("gives what went in, by its key and in the order of the keys", () => {
  const records = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 40 });
  fc.assert(
    fc.property(records, fc.string(), (all, other) => {
      const packed = new PackedRecords<unknown>();
      // A question amid the adding: what comes later is found too.
      for (const [at, [name, each]] of all.entries()) {
        packed.add(name, each);
        if (at % 7 === 3) expect(packed.find(name)).toEqual(each);
      }
      for (const [name, each] of all) expect(packed.find(name)).toEqual(each);
      expect(packed.size).toBe(all.length);
      const sorted = all.toSorted(([one], [two]) => (one < two ? -1 : 1));
      expect([...packed.values()]).toEqual(sorted.map(([, each]) => each));
      if (!all.some(([name]) => name === other)) expect(packed.find(other)).toBe(undefined);
    }),
    { numRuns: 30 },
  );
});
