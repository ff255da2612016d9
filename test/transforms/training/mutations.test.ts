import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateLoneFile } from "../../../transforms/training/validate-package.js";
import type { ValidationResult } from "../../../transforms/training/validation.js";
import {
  activity,
  aiccPackage,
  au,
  cmi5Structure,
  codesOf,
  item,
  judge,
  organization,
  type Package,
  resources,
  sco,
  scormManifest,
  scormPackage,
  TITLED,
  tincan,
} from "../../helpers/training-packages.js";

/** A long search takes more of them: FUZZ_ROUNDS=100. */
const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 1);

const RICH = scormManifest({
  family: "2004",
  attributes: 'xml:base="a/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a a.xsd"',
  organizations: organization(
    item("I1", "R1", { attributes: 'parameters="?a=1&amp;b"', inside: item("I2", "R2") }) + item("I3", "NOPE"),
  ),
  resources: resources(
    sco({ family: "2004", inside: '<file href="index.html"/><dependency identifierref="R2"/>' }),
    sco({ id: "R2", family: "2004", href: "x\\%41.html?q", inside: '<dependency identifierref="R1"/>' }),
  ),
  behind: '<manifest identifier="M2"><resources/></manifest>',
});

const GOOD: readonly Package[] = [
  { "imsmanifest.xml": RICH, "a/index.html": "", "b.html": "" },
  { "cmi5.xml": cmi5Structure({ inside: `<block id="urn:b">${TITLED}${au()}</block>` }), "index.html": "" },
  { "tincan.xml": tincan(activity() + activity({ launch: "" })), "index.html": "" },
  aiccPackage(),
];

/** Words that manifests are broken with. */
const WORDS = [
  "",
  "<",
  ">",
  "&",
  '"',
  "'",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<!DOCTYPE a>",
  "&lt;",
  "&#0;",
  "&#x202e;",
  "&x;",
  "\r",
  "\r\n",
  "\t",
  "\u0000",
  "\ud800",
  "../",
  "\\",
  "%",
  "%2e%2e/",
  "%ff",
  "javascript:",
  "https://a:b@c/",
  "http://[",
  "//",
  "?",
  "#",
  ",",
  "[Course]",
  "ROOT",
  "R1",
  "I1",
  "A1",
  "<item>",
  "</item>",
  "<au/>",
  ' identifier="R1"',
  ' href=""',
  ' xmlns=""',
  " xml:base='x\\y'",
  "<__proto__/>",
  "=1+1",
  "é",
  "😀",
];

interface Change {
  readonly at: number;
  readonly length: number;
  readonly word: string;
}

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  word: fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: "binary", maxLength: 6 })),
});

function mutate(content: string, changes: readonly Change[]): string {
  return changes.reduce((text, { at, length, word }) => {
    const start = Math.floor(at * text.length);
    return text.slice(0, start) + word + text.slice(start + length);
  }, content);
}

/** What must hold whatever stands in a package. */
function checkSanity(judgement: ValidationResult): void {
  const { findings, module, rewritten, repairs } = judgement;
  expect(findings.length).toBeLessThanOrEqual(1000);
  if (module === null) expect(findings.some(({ level }) => level === "error")).toBe(true);
  if (rewritten.size > 0) expect(repairs.length).toBeGreaterThan(0);
  for (const { place, detail } of findings) {
    expect(`${place ?? ""}${detail}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Surrogate}/u);
    expect(detail.length).toBeLessThan(8000);
  }
  for (const unit of module?.units ?? [])
    if (/^[a-z][a-z0-9+.-]+:/i.test(unit.launch ?? "")) expect(unit.launch).toMatch(/^https?:\/\/[^@/]*(?:[/?#]|$)/i);
}

describe("whatever stands in a package", () => {
  it("is judged, with a finding where nothing comes of it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...GOOD),
        fc.nat(3),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.constantFrom<BufferEncoding>("utf8", "utf8", "utf8", "utf16le", "latin1"),
        (good, which, changes, encoding) => {
          const wanted = Object.keys(good).filter((path) => good[path] !== "");
          const path = wanted[which % wanted.length] ?? "";
          const broken = Buffer.from(mutate(String(good[path]), changes), encoding);
          checkSanity(judge({ ...good, [path]: broken }, { fixCase: true }));
          checkSanity(validateLoneFile(path, broken));
        },
      ),
      { numRuns: 1000 * ROUNDS },
    );
  });

  it("repairs to what needs no further repair", () => {
    const bare = ["&", "& ", "&a", "a\\", "\\"] as const;
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: change.map(({ at }) => at), word: fc.constantFrom(...bare) }), { maxLength: 5 }),
        (edits) => {
          const good: Package = { ...scormPackage(), "imsmanifest.xml": RICH };
          const broken = mutate(
            RICH,
            edits.map(({ at, word }) => ({ at, word, length: 0 })),
          );
          const judgement = judge({ ...good, "imsmanifest.xml": broken });
          const mended = judgement.rewritten.get("imsmanifest.xml");
          if (mended === undefined) return;
          const again = judge({ ...good, "imsmanifest.xml": mended });
          expect(again.rewritten.size).toBe(0);
          expect(again.module).toEqual(judgement.module);
          expect(codesOf(again)).toEqual(codesOf(judgement).filter((code) => !/AMPERSAND|BACKSLASH/.test(code)));
        },
      ),
      { numRuns: 200 * ROUNDS },
    );
  });

  it("may have names of every kind", () => {
    const segment = fc.constantFrom(
      "a",
      "imsmanifest.xml",
      "IMSMANIFEST.XML",
      "cmi5.xml",
      "tincan.xml",
      "c.au",
      "c.crs",
      "c.des",
      "d.cst",
      "x.php",
      "",
      ".",
    );
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        checkSanity(judge(Object.fromEntries(paths.map((one) => [one, one.endsWith("xml") ? RICH : ""]))));
      }),
      { numRuns: 300 * ROUNDS },
    );
  });
});
