import { expect, it } from "vitest";
import {
  indexSchema,
  itemRowSchema,
  mediaRowSchema,
  usualItemRow,
  usualMediaRow,
} from "../../../src/storage/repository/format.js";

const NEED = { archive: "looms-20261101T030000Z.full.zip", contents: 2, bytes: 30 };

function indexWith(need: unknown): unknown {
  const counts = { present: 0, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 };
  const archive = { name: "looms-20261102T030000Z.zip", bytes: 1, sha256: "0".repeat(64), plain: null };
  const times = { started: "2026-11-02T03:00:00Z", finished: "2026-11-02T03:00:00Z" };
  const facts = { format: 2, madeBy: "", name: "looms", snapshot: "20261102T030000Z", kind: "incremental" };
  const previous = "20261101T030000Z";
  return { ...facts, ...times, previous, complete: true, encrypted: false, archives: [archive], needs: [need], counts };
}

it("an index names what it needs of other snapshots, without the fields of a later version", () => {
  expect(indexSchema.parse(indexWith({ ...NEED, later: true })).needs).toEqual([NEED]);
});

it.each([
  [null],
  ["text"],
  [[]],
  [{ ...NEED, archive: 1 }],
  [{ archive: NEED.archive, contents: 2 }],
  [{ ...NEED, contents: 1.5 }],
  [{ ...NEED, contents: "2" }],
  [{ ...NEED, bytes: -1 }],
  [{ ...NEED, bytes: 2 ** 60 }],
])("an index with the need %j is damaged", (need) => {
  expect(indexSchema.safeParse(indexWith(need)).success).toBe(false);
});

const PLACE = { sha256: "0a".repeat(32), size: 7, archive: "looms.zip", path: "items/wiki/aa/1.json" };
const ITEM = { key: "wiki/WIKI/A", kind: "wiki", state: "present", revision: "", title: "A", category: null };
const ROW = { ...ITEM, modified: 5, read: 6, ...PLACE };
const ODD = ["", "a", "0a".repeat(32), "0A".repeat(32), "record/tags", "deleted", 0, -1, 1.5, 2 ** 60, null, [], {}];

it("accepts by hand the rows that the schemas accept, and no others", () => {
  const rows = Object.keys(ROW).flatMap((field) =>
    [...ODD, Number.POSITIVE_INFINITY, undefined].map((value) => ({ ...ROW, later: 1, [field]: value })),
  );
  for (const row of [ROW, ...rows, null, "text", []]) {
    const item = itemRowSchema.safeParse(row);
    const isPresent = item.success && item.data.state === "present";
    expect(usualItemRow(row, undefined), JSON.stringify(row)).toEqual(isPresent ? item.data : undefined);
    expect(usualMediaRow(row), JSON.stringify(row)).toEqual(mediaRowSchema.safeParse(row).data);
  }
  const { read: _read, ...without } = ROW;
  expect([usualItemRow(without, 9), usualItemRow(without, undefined)]).toEqual([{ ...ROW, read: 9 }, undefined]);
});
