import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "../../../src/core/util/json.js";
import { indexSchema, type Need, type SnapshotIndex } from "../../../src/storage/repository/format.js";
import { indexText, parseIndex } from "../../../src/storage/repository/index-files.js";
import "../../helpers/seed.js";

const ARCHIVE = { name: "site.example-20261120T030000Z.full.zip", bytes: 7, sha256: "0".repeat(64), plain: null };
const COUNTS = { present: 1, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 };

function indexWith(needs: readonly Need[]): SnapshotIndex {
  return {
    ...{ format: 2, madeBy: "test", name: "site.example", snapshot: "20261121T030000Z", kind: "incremental" },
    ...{ previous: "20261120T030000Z", started: "", finished: "", complete: true, encrypted: false },
    ...{ archives: [ARCHIVE], needs: [...needs], counts: COUNTS },
  };
}

const need = fc.record({
  archive: fc.oneof(fc.constant(ARCHIVE.name), fc.string()),
  contents: fc.nat(),
  bytes: fc.maxSafeNat(),
});

/** Whatever makes a text another one, in or beside the list of files. */
const CHANGES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(JSON.parse(text)),
  (text) => text.replace('"contents": ', '"contents": 0'),
  (text) => text.replace('"bytes": ', '"bytes": -'),
  (text) => text.replace("\n    }\n  ]", "\n    },\n  ]"),
  (text) => text.replace("\n    },\n", "\n    }\n"),
  (text) => text.replace('  "counts": ', '  "needs": [],\n  "counts": '),
  (text) => text.replace('  "counts": ', '  "needs": [{ "archive": 1 }],\n  "counts": '),
  (text) => text.replace('"madeBy": "test"', '"madeBy": 7'),
  (text) => text.slice(0, -5),
];

it("an index is read from its text as its schema reads it, damaged or not", () => {
  fc.assert(
    fc.property(fc.array(need, { maxLength: 6 }), fc.constantFrom(...CHANGES), (needs, change) => {
      const text = change(indexText(indexWith(needs)));
      const expected = indexSchema.safeParse(parseJson(text));
      expect(parseIndex(text)).toEqual(expected.data);
    }),
    { numRuns: 300 },
  );
});

const FACTS = { count: 3, sha256: "a".repeat(64) };
const WHOLE = { copy: ARCHIVE.name, items: FACTS, media: FACTS };
const PLAIN = { bytes: 5, sha256: "b".repeat(64) };
const USUAL = {
  ...indexWith([]),
  ...{ sinceFull: 1, whole: WHOLE, base: { ...WHOLE, snapshot: "20261120T030000Z", archive: ARCHIVE.name } },
  archives: [ARCHIVE, { ...ARCHIVE, plain: PLAIN }],
};
const RARE = { ...USUAL, fullDue: 30, deletionsAccepted: true, manyDeleted: [{ list: "guides", present: 9, gone: 8 }] };

/** Of any kind, and at the limits of the fields. */
const VALUES = [null, true, 0, -1, 1.5, 2, 3, 2 ** 53, "", "full", "20261120T030000Z", "f".repeat(64), [], {}, [{}]];

type Container = Record<string, unknown>;

/** All objects and lists in a value. */
function containersIn(value: unknown): readonly Container[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Container, ...Object.values(value).flatMap(containersIn)];
}

it("an index with any field replaced, removed or added is read as its schema reads it", () => {
  const count = containersIn(RARE).length;
  const change = fc.record({
    at: fc.nat({ max: count - 1 }),
    field: fc.nat({ max: 20 }),
    value: fc.constantFrom(...VALUES, undefined),
    name: fc.constantFrom(undefined, "added", "__proto__", "copy", "whole"),
  });
  let accepted = 0;
  fc.assert(
    fc.property(fc.constantFrom(USUAL, RARE), fc.array(change, { maxLength: 2 }), (usual, changes) => {
      const index = structuredClone<unknown>(usual);
      for (const { at, field, value, name } of changes) {
        const all = containersIn(index);
        const container = all[at % all.length] ?? {};
        const fields = Object.keys(container);
        const set = { value: structuredClone(value), enumerable: true, configurable: true, writable: true };
        Object.defineProperty(container, name ?? fields[field % fields.length] ?? "0", set);
      }
      const text = JSON.stringify(index);
      const expected = indexSchema.safeParse(parseJson(text));
      if (expected.success) accepted += 1;
      expect(parseIndex(text)).toEqual(expected.data);
    }),
    { numRuns: 1000 },
  );
  expect(accepted).toBeGreaterThan(50);
  expect(parseIndex(JSON.stringify({ ...USUAL, archives: [] }))).toBeUndefined();
});

it("what a snapshot needs of others is parsed when it is used, as hundreds of indexes have thousands of it", () => {
  const needs = [{ archive: ARCHIVE.name, contents: 5, bytes: 48_195 }];
  const index = parseIndex(indexText(indexWith(needs)));
  expect(Object.getOwnPropertyDescriptor(index, "needs")?.get).toBeTypeOf("function");
  expect(index?.needs).toEqual(needs);
  expect(index?.needs).toBe(index?.needs);
});
