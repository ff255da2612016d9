import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRows } from "../../../src/core/util/csv.js";

const field = fc.string({ unit: fc.constantFrom("a", "é", " ", '"', ",", ";", "\t", "\n", "\r", "\r\n", "'") });

function written(rows: readonly (readonly string[])[], separator: string, end: string): string {
  return rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator) + end).join("");
}

describe("rows of CSV", () => {
  it("are read as they were written, whatever stands in them", () => {
    const rows = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\n", "\r\n", "\r"),
        (table, separator, end) => {
          const read = readRows(written(table, separator, end), { separator });
          expect(read.faults).toEqual([]);
          expect(read.rows.map(({ fields }) => fields)).toEqual(
            table.filter((row) => row.some((one) => one.trim() !== "")),
          );
        },
      ),
    );
  });

  it("have the number of the line that they begin in", () => {
    const { rows } = readRows('a\r\n\r\n"b\nc\r\nd",e\r\nf');
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 6]);
  });

  it.each([
    ["a,", ["a", ""]],
    [",a", ["", "a"]],
    ['a"b,c', ['a"b', "c"]],
    ['"",x', ["", "x"]],
  ])("of %j", (text, fields) => {
    expect(readRows(text).rows).toEqual([{ line: 1, fields }]);
  });

  it("take linear time, also where quotes are never closed", () => {
    const many = '""'.repeat(2_000_000);
    expect(readRows(`"${many}"`).rows[0]?.fields[0]).toHaveLength(2_000_000);
    expect(readRows(`"${many}`).faults).toMatchObject([{ line: 1 }]);
  });
});
