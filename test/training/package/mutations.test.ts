import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PackageOptions } from "../../../src/training/package/check-package.js";
import { preparePackage } from "../../../src/training/package/normalise-package.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { aiccPackage, cmi5Structure, type Package, scormManifest, tincan } from "../../helpers/training-packages.js";
import { zipBytes } from "../../storage/archive/helpers/zip-bytes.js";
import { change, mutateZip } from "./helpers/mutate-zip.js";
import { partsOf } from "./helpers/on-disk.js";
import { zipSeeds } from "./helpers/seeds.js";

/** A long search takes more of them: FUZZ_ROUNDS=100. */
const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 1);
/** Milliseconds after which a case counts as one that hangs. */
const HANGING = 120_000;

const NEVER = new AbortController().signal;

const options: fc.Arbitrary<PackageOptions> = fc.record(
  {
    profile: fc.constantFrom("strict" as const, "standard" as const, "lenient" as const),
    prefer: fc.constantFrom("cmi5" as const, "scorm" as const),
    fixCase: fc.boolean(),
  },
  { requiredKeys: [] },
);

/**
 * What must hold of any bytes: a verdict, and where it is good an archive that is read as the same
 * package; nothing else is left.
 */
async function checkBytes(folder: string, name: string, bytes: Uint8Array, chosen: PackageOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const [input, output] = [join(folder, name), join(folder, "normalised.zip")];
  writeFileSync(input, bytes);
  const { checked, normalised, close } = await preparePackage(input, chosen);
  const { findings, verdict, module } = checked;
  expect(verdict === "refuse").toBe(findings.some(({ level }) => level === "error"));
  expect(verdict === "accept").toBe(findings.length === 0);
  if (normalised === null) {
    expect(verdict === "refuse" || checked.lone === "manifest-only").toBe(true);
    await close();
    expect(readdirSync(folder)).toEqual([name]);
    return;
  }
  expect(module).not.toBeNull();
  const size = await normalised.write(output, NEVER);
  await close();
  expect(readdirSync(folder).toSorted()).toEqual([name, "normalised.zip"].toSorted());
  const again = await preparePackage(output, chosen);
  await again.close();
  expect(again.checked.bytes).toBe(size);
  expect(again.normalised?.digest).toBe(normalised.digest);
  expect(again.normalised?.contentBytes).toBe(normalised.contentBytes);
}

/**
 * Words that manifests are broken with; transforms/training has a search of its own for what they
 * mean.
 */
const WORDS = [
  "",
  "<",
  "&",
  '"',
  "<!--",
  "]]>",
  "<!DOCTYPE a>",
  "&x;",
  "\u0000",
  "../",
  "\\",
  "%2e%2e/",
  "//",
  "R1",
  "é",
];

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 30 }),
  word: fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: "binary", maxLength: 6 })),
});

const MANIFESTS: readonly Package[] = [
  { "imsmanifest.xml": scormManifest(), "index.html": "" },
  { "IMSmanifest.xml": scormManifest({ family: "2004" }), "INDEX.html": "" },
  { "cmi5.xml": cmi5Structure(), "index.html": "" },
  { "tincan.xml": tincan(), "index.html": "" },
  aiccPackage(),
];

describe("whatever bytes come as a package", () => {
  it("are judged, and written where they are good: archives that are broken", async () => {
    const folder = join(await temporaryFolder(), "case");
    const seeds = zipSeeds();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(seeds.length - 1),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        options,
        async (which, changes, chosen) => {
          await checkBytes(folder, "course.zip", mutateZip(seeds[which] ?? Buffer.alloc(0), changes), chosen);
        },
      ),
      { numRuns: 250 * ROUNDS, timeout: HANGING },
    );
  });

  it("are judged, and written where they are good: manifests that are broken, in an archive and alone", async () => {
    const folder = join(await temporaryFolder(), "case");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...MANIFESTS),
        fc.nat(3),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.constantFrom<BufferEncoding>("utf8", "utf8", "utf16le", "latin1"),
        options,
        async (made, which, edits, encoding, chosen) => {
          const paths = Object.keys(made).filter((path) => made[path] !== "");
          const path = paths[which % paths.length] ?? "";
          const text = edits.reduce((before, { at, length, word }) => {
            const start = Math.floor(at * before.length);
            return before.slice(0, start) + word + before.slice(start + length);
          }, String(made[path]));
          const bytes = Buffer.from(text, encoding);
          await checkBytes(folder, "course.zip", zipBytes(partsOf({ ...made, [path]: bytes })), chosen);
          await checkBytes(folder, path, bytes, chosen);
        },
      ),
      { numRuns: 100 * ROUNDS, timeout: HANGING },
    );
  });

  it("are judged: no archive at all", async () => {
    const folder = join(await temporaryFolder(), "case");
    const beginnings = [
      "",
      "PK\u0003\u0004",
      "PK\u0005\u0006",
      "<?xml version='1.0'?>",
      "<manifest>",
      "Rar!",
      "<html>",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...beginnings),
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom("course.zip", "course.xml", "course"),
        options,
        async (beginning, bytes, name, chosen) => {
          await checkBytes(folder, name, Buffer.concat([Buffer.from(beginning, "latin1"), bytes]), chosen);
        },
      ),
      { numRuns: 60 * ROUNDS, timeout: HANGING },
    );
  });
});
