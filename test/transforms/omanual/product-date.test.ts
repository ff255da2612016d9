import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProductDate, writeProductDate } from "../../../transforms/omanual/values.js";

describe("when a product came or went", () => {
  it.each([
    ["1347408000", "2012-09-12"],
    ["1347410096", "2012-09-12T00:34:56Z"],
    ["-157766400", "1965-01-01"],
    ["20120912", "2012-09-12"],
    ["20121312", "20121312"],
    ["1998", "1998"],
    [" 2012-09-12 ", "2012-09-12"],
    ["spring 2012", "spring 2012"],
    ["", ""],
  ])("is read of %j as %j", (written, read) => {
    expect(readProductDate(written)).toBe(read);
  });

  it.each([
    ["1998", "1998"],
    ["2012-09-12", "1347408000"],
    ["2012-09-12T02:00:00+02:00", "1347408000"],
    ["1970-01-02", null],
    ["2012-02-31", null],
    ["spring 2012", null],
    ["", null],
    [null, null],
  ])("is written of %j as %j", (value, written) => {
    expect(writeProductDate(value)).toBe(written);
  });

  it("comes back as it was, if it is a day of the last fifty years", () => {
    const day = fc.date({ min: new Date("1974-01-01"), max: new Date("2060-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const value = date.toISOString().slice(0, 10);
        expect(readProductDate(writeProductDate(value) ?? "")).toBe(value);
      }),
    );
  });
});
