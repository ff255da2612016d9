import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, isObject } from "../../../src/core/util/json.js";

/** As ledgers of earlier versions were written. */
function sortedByReplacer(value: unknown): string {
  const sorted = (object: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(value, (_name, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
}

test("canonical JSON is the text that earlier versions made, so that no item looks changed", () => {
  const name = fc.oneof(fc.string(), fc.nat(20).map(String), fc.constantFrom("toJSON", "__proto__", "01", "é"));
  const { value } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
    value: fc.oneof(
      { maxDepth: 4 },
      tie("leaf"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(value, (each) => {
      expect(canonicalJson([each])).toBe(sortedByReplacer([each]));
    }),
  );
  const dated = { b: new Date(0), a: [undefined, { 10: 1, 9: 2, a: undefined }] };
  expect(canonicalJson(dated)).toBe(sortedByReplacer(dated));
});
