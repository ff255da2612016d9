import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine as rowOf } from "../../../src/core/util/csv.js";
import { csvHead, csvLine, reportLine } from "../../../src/training/report/report-line.js";
import { checked, HOSTILE, hostilePackage, hostileResult, hostileText, imported, refused } from "./packages.js";

const READER =
  "import csv, io, json, sys\nt = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8', newline='')\njson.dump(list(csv.reader(t, strict=True)), sys.stdout)";

/** What Python's csv module reads. */
function readByPython(csv: string): readonly (readonly string[])[] {
  return JSON.parse(
    execFileSync("python3", ["-c", READER], { input: csv, encoding: "utf8", maxBuffer: 1e9 }),
  ) as string[][];
}

describe("a report as CSV", () => {
  it("has a head, a line for each package, and CR LF behind each", () => {
    expect(csvHead("check")).toBe(
      "file,verdict,codes,standard,title,errors,warnings,findings,what to do,repairs,bytes\r\n",
    );
    expect(csvLine(reportLine(checked()))).toBe("courses/fire.zip,accept,,scorm12,Fire safety,0,0,,,,1234\r\n");
    expect(csvLine(reportLine(refused({ module: null })))).toBe(
      "courses/fire.zip,refuse,E_MAN_LAUNCH_MISSING,,,1,0,E_MAN_LAUNCH_MISSING imsmanifest.xml:12:5: index.html is not in the package,Publish the package again with all of its files.,,1234\r\n",
    );
    const [head = [], row = []] = readByPython(
      csvHead("import") + csvLine(reportLine(imported({ notes: ["one", "two"] }))),
    );
    expect(Object.fromEntries(head.map((name, at) => [name, row[at]]))).toMatchObject({
      action: "new-module",
      state: "complete",
      module: "12",
      import: "31",
      digest: "ab".repeat(32),
      reason: "",
      notes: "one | two",
    });
  });

  it("is read back by Python as it was meant, one line a package, whatever the titles", () => {
    const made: { readonly line: string; readonly title: string }[] = [];
    fc.assert(
      fc.property(fc.oneof(hostilePackage, hostileResult), (row) => {
        const line = reportLine(row);
        const text = csvLine(line);
        expect(text.slice(0, -2)).not.toMatch(/[\r\n]/);
        made.push({ line: text, title: line.title ?? "" });
      }),
      { numRuns: 500 },
    );
    const rows = readByPython(made.map(({ line }) => line).join(""));
    expect(rows).toHaveLength(made.length);
    // A formula has an apostrophe in front; which ones have it, the tests below say.
    for (const [at, { title }] of made.entries()) expect([title, `'${title}`]).toContain(rows[at]?.[4]);
  });

  it.each(HOSTILE.filter((title) => /^[\s"'\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\u2212]/.test(title)))(
    "has no formula out of %j",
    (title) => {
      const [row = []] = readByPython(rowOf([title]));
      expect(row).toEqual([`'${title}`]);
    },
  );

  it("has no cell that a spreadsheet would take for a formula, by any of its rules", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const cell = rowOf([text]).slice(0, -2).replace(/^"/, "");
        expect(cell.normalize("NFKC").trimStart()).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it("leaves ordinary cells as they are", () => {
    expect(rowOf(["a=b", "1-2", "a@b", "", "3"])).toBe("a=b,1-2,a@b,,3\r\n");
  });
});
