import fc from "fast-check";
import type { CheckedPackage, PackageFinding, PackageResult } from "../../../src/training/package.js";

export const ERROR: PackageFinding = {
  code: "E_MAN_LAUNCH_MISSING",
  level: "error",
  place: "imsmanifest.xml:12:5",
  detail: "index.html is not in the package",
  remedy: "Publish the package again with all of its files.",
};

export const WARNING: PackageFinding = {
  code: "W_ZIP_GAP",
  level: "warning",
  place: null,
  detail: "12 bytes belong to no entry",
  remedy: "Nothing has to be done.",
};

/** A package that was checked; a good one where nothing else is given. */
export function checked({
  title = "Fire safety",
  ...other
}: Partial<CheckedPackage> & { readonly title?: string } = {}): CheckedPackage {
  const unit = { id: "I1", title, launch: "index.html", depth: 0, masteryScore: null };
  return {
    file: "courses/fire.zip",
    verdict: "accept",
    findings: [],
    findingsLeft: 0,
    module: {
      standard: "scorm12",
      identifier: "M1",
      title,
      language: null,
      units: [unit],
      external: [],
      usesSequencing: false,
    },
    repairs: [],
    bytes: 1234,
    lone: null,
    ...other,
  };
}

export function refused(other: Partial<CheckedPackage> & { readonly title?: string } = {}): CheckedPackage {
  return checked({ verdict: "refuse", findings: [ERROR], ...other });
}

export function warned(other: Partial<CheckedPackage> & { readonly title?: string } = {}): CheckedPackage {
  return checked({ verdict: "accept-with-warning", findings: [WARNING], ...other });
}

export function imported(other: Partial<PackageResult> = {}): PackageResult {
  return {
    checked: checked(),
    digest: "ab".repeat(32),
    action: "new-module",
    state: "complete",
    moduleId: "12",
    importId: "31",
    reason: "",
    notes: [],
    ...other,
  };
}

/** What somebody who wants to harm readers of a report would call a course. */
export const HOSTILE: readonly string[] = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</td></table></bdi><iframe src=//evil.example>",
  "<!--",
  "]]>",
  "</title><style>@import url(//evil.example)</style>",
  "&lt;b&gt;",
  "javascript:alert(1)",
  "=cmd|'/c calc'!A1",
  "+1+1",
  "-2+3",
  "@SUM(A1:A2)",
  "\t=1+1",
  "\r=1+1",
  "  =1+1",
  '"=1+1',
  "'=1+1",
  "\u00a0=1+1",
  "\ufeff=1+1",
  "\uff1d1+1",
  "\uff0b1",
  "\uff0d1",
  "\uff20SUM(A1)",
  "\ufe661+1",
  "\u22121",
  "a\u202egpj.exe",
  "a\u0000b\u001b[31mred\u009b",
  "line\r\nbreak\u2028and\u2029more",
  'comma, "quote"; semicolon',
  "https://user:secret@files.example/x",
  "[link](https://evil.example) ![x](https://evil.example/x.png)",
  "`code` ```` and <https://evil.example> www.evil.example a@evil.example",
  "| a | b |\n|---|---|",
  "# head",
  "\\`",
  " ",
  "",
  "x".repeat(5000),
  "\u{1f600}\ud800",
];

/** Any of these, in pieces and put together. */
export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc
    .array(fc.constantFrom(...HOSTILE, "a", " ", "`", "<", "=", '"', "\n", "\\"), { maxLength: 5 })
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

/** Packages in which every foreign text is such a one. */
export const hostilePackage: fc.Arbitrary<CheckedPackage> = fc
  .record({
    file: hostileText,
    title: hostileText,
    place: fc.option(hostileText),
    detail: hostileText,
    isRefused: fc.boolean(),
  })
  .map(({ file, title, place, detail, isRefused }) => {
    const make = isRefused ? refused : warned;
    const finding = { ...(isRefused ? ERROR : WARNING), place, detail };
    return make({ file, title, findings: [finding], repairs: [{ code: finding.code, path: file, what: detail }] });
  });

export const hostileResult: fc.Arbitrary<PackageResult> = fc
  .record({ checked: hostilePackage, reason: hostileText, note: hostileText, id: hostileText })
  .map(({ checked: one, reason, note, id }) =>
    imported({ checked: one, reason, notes: [note], moduleId: id, state: "failed" }),
  );
