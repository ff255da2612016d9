import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "../../../src/core/util/printable-text.js";
import { plain } from "../../../src/training/plain-text.js";
import { PackageTally, unreadablePackage } from "../../../src/training/report/package-tally.js";
import { reportLine, wordsOf } from "../../../src/training/report/report-line.js";
import { checked, ERROR, hostilePackage, hostileResult, imported, refused, WARNING, warned } from "./packages.js";

describe("the words for one package", () => {
  it("are one line when nothing is wrong", () => {
    expect(wordsOf(checked())).toEqual(['accepted courses/fire.zip (scorm12) "Fire safety"']);
  });

  it("say what is wrong, where, and once for each code what to do", () => {
    const findings = [ERROR, { ...ERROR, place: null, detail: "b.html is not in the package" }, WARNING];
    expect(wordsOf(refused({ findings, findingsLeft: 3 }))).toEqual([
      'refused  courses/fire.zip (scorm12) "Fire safety"',
      "  E_MAN_LAUNCH_MISSING imsmanifest.xml:12:5: index.html is not in the package",
      "  E_MAN_LAUNCH_MISSING: b.html is not in the package",
      "    Publish the package again with all of its files.",
      "  W_ZIP_GAP: 12 bytes belong to no entry",
      "    Nothing has to be done.",
      "  3 more findings are not listed",
    ]);
  });

  it("name five findings of a code and count the others", () => {
    const words = wordsOf(warned({ findings: Array.from({ length: 1205 }, () => WARNING) }));
    expect(words).toHaveLength(8);
    expect(words[6]).toBe("  W_ZIP_GAP: 1,200 more findings");
  });

  it("say what became of it", () => {
    const words = wordsOf(
      imported({ state: "failed", reason: "The site had no room.", notes: ["A module has the same title."] }),
    );
    expect(words.slice(1)).toEqual([
      "  new-module: failed: module 12, import 31",
      "  The site had no room.",
      "  A module has the same title.",
    ]);
  });

  it("say it of a manifest alone and of a package whose meaning nobody knows", () => {
    expect(wordsOf(refused({ module: null, findings: [] }))).toEqual(["refused  courses/fire.zip"]);
    expect(wordsOf(checked({ lone: "manifest-only" }))[0]).toContain("(scorm12, a manifest without its files)");
  });

  it("are printable, whatever the titles", () => {
    fc.assert(
      fc.property(fc.oneof(hostilePackage, hostileResult), (row) => {
        for (const line of wordsOf(row)) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe("a line for programs", () => {
  it("has what was found out", () => {
    expect(reportLine(refused({ findings: [WARNING, ERROR, ERROR] }))).toMatchObject({
      file: "courses/fire.zip",
      verdict: "refuse",
      codes: ["E_MAN_LAUNCH_MISSING", "W_ZIP_GAP"],
      standard: "scorm12",
      title: "Fire safety",
      bytes: 1234,
    });
    expect(reportLine(imported())).toMatchObject({
      action: "new-module",
      state: "complete",
      module: "12",
      import: "31",
      reason: "",
      notes: [],
    });
  });

  it("is printable JSON that loses nothing of the file's name", () => {
    fc.assert(
      fc.property(fc.oneof(hostilePackage, hostileResult), (row) => {
        const line = reportLine(row);
        const text = jsonText(line);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(text)).toEqual(line);
        expect(line.title?.length ?? 0).toBeLessThanOrEqual(8 * 201);
      }),
    );
  });

  it("has no user name and password of an address", () => {
    const text = "see https://user:secret@files.example/a//b and ftp:\\\\x@y@host/ but not a@b or //host/a@b";
    expect(plain(text)).toBe("see https://files.example/a//b and ftp:\\\\host/ but not a@b or //host/a@b");
  });
});

describe("a tally", () => {
  it("counts packages by verdict, and packages and findings by code", () => {
    const tally = new PackageTally();
    for (const row of [checked(), warned(), refused({ findings: [ERROR, ERROR, WARNING] }), imported({ state: null })])
      tally.add(row);
    expect(tally.words()).toBe("4 packages: 2 accepted, 1 with warnings, 1 refused");
    expect(tally.table().rows).toEqual([
      ["W_ZIP_GAP", 2, 2, "the archive has unused bytes between its entries"],
      ["E_MAN_LAUNCH_MISSING", 1, 2, expect.any(String)],
    ]);
    expect([...tally.outcomes]).toEqual([["new-module", 1]]);
    expect(tally.verdicts).toEqual({ accept: 2, "accept-with-warning": 1, refuse: 1 });
  });

  it("names ten packages of a code", () => {
    const tally = new PackageTally();
    for (let at = 0; at < 30; at += 1) tally.add(warned({ file: `${at}.zip` }));
    expect(tally.codes()).toMatchObject([{ packages: 30, files: Array.from({ length: 10 }, (_, at) => `${at}.zip`) }]);
    const alone = new PackageTally();
    alone.add(warned());
    expect(alone.words()).toBe("1 package: 0 accepted, 1 with warnings, 0 refused");
  });

  it("counts what could not be read at all as refused", () => {
    const tally = new PackageTally();
    const row = unreadablePackage("https://files.example/x.zip", "It was answered 403.");
    tally.add(row);
    expect(tally.verdicts.refuse).toBe(1);
    expect(tally.codes()).toMatchObject([
      { code: "E_PKG_UNREADABLE", meaning: "the package could not be fetched or read" },
    ]);
    expect(wordsOf(row)[1]).toBe("  E_PKG_UNREADABLE: It was answered 403.");
  });

  it("takes a code that nobody knows", () => {
    const tally = new PackageTally();
    tally.add(refused({ findings: [{ ...ERROR, code: "constructor" }] }));
    expect(tally.codes()).toMatchObject([{ code: "constructor", meaning: "" }]);
  });
});
