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
      const index = parseIndex(text);
      expect(index).toEqual(expected.data);
      expect(JSON.stringify(index)).toBe(JSON.stringify(expected.data));
    }),
    { numRuns: 300 },
  );
});

it("what a snapshot needs of others is parsed when it is used, as hundreds of indexes have thousands of it", () => {
  const needs = [{ archive: ARCHIVE.name, contents: 5, bytes: 48_195 }];
  const index = parseIndex(indexText(indexWith(needs)));
  expect(Object.getOwnPropertyDescriptor(index, "needs")?.get).toBeTypeOf("function");
  expect(index?.needs).toEqual(needs);
  expect(index?.needs).toBe(index?.needs);
});
