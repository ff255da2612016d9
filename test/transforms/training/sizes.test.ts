import { afterAll, beforeAll, expect, it } from "vitest";
import {
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
  scormPackage,
} from "../../helpers/training-packages.js";
import { countWork } from "../../helpers/work-counter.mjs";

function many<Made>(count: number, make: (at: number) => Made): readonly Made[] {
  return Array.from({ length: count }, (_none, at) => make(at));
}

function listed(count: number, name: (at: number) => string): string {
  return many(count, (at) => `<file href="${name(at)}"/>`).join("\n");
}

/** `make` builds a package of a size; `codes` are what is told of it. */
const LARGE: readonly (readonly [
  name: string,
  size: number,
  make: (size: number) => Package,
  codes: readonly string[],
])[] = [
  [
    "items",
    1000,
    (size) =>
      scormPackage({
        organizations: organization(many(size, (at) => item(`I${at}`, `R${at}`)).join("\n")),
        resources: resources(...many(size, (at) => sco({ id: `R${at}`, inside: "" }))),
      }),
    [],
  ],
  [
    "listed files",
    2000,
    (size) =>
      scormPackage(
        { resources: resources(sco({ inside: listed(size, (at) => `p/${at}.html`) })) },
        Object.fromEntries(many(size, (at) => [`p/${at}.html`, ""])),
      ),
    [],
  ],
  [
    "listed files in other letter case",
    2000,
    (size) =>
      scormPackage(
        { resources: resources(sco({ inside: listed(size, (at) => `P/${at}.HTML`) })) },
        Object.fromEntries(many(size, (at) => [`p/${at}.html`, ""])),
      ),
    ["W_MAN_CASE_MISMATCH"],
  ],
  [
    "files that are not there, on one line",
    2000,
    (size) =>
      scormPackage({
        resources: resources(sco({ inside: listed(size, (at) => `p\\${at}.html`).replaceAll("\n", "") })),
      }),
    ["W_MAN_FILE_MISSING", "W_MAN_HREF_BACKSLASH"],
  ],
  [
    "files that nobody lists",
    2000,
    (size) => scormPackage({}, Object.fromEntries(many(size, (at) => [`p${at}/x.php`, ""]))),
    ["W_MAN_ORPHAN_FILE", "W_PKG_SERVER_SIDE_FILE"],
  ],
  [
    "manifests below",
    2000,
    (size) => scormPackage({}, Object.fromEntries(many(size, (at) => [`p${at}/imsmanifest.xml`, ""]))),
    ["W_PKG_EXTRA_MANIFEST"],
  ],
  [
    "dependencies in a row, the last on the first",
    1000,
    (size) =>
      scormPackage({
        resources: resources(
          sco(),
          ...many(
            size,
            (at) => `<resource identifier="D${at}"><dependency identifierref="D${(at + 1) % size}"/></resource>`,
          ),
        ),
      }),
    ["W_MAN_DEPENDENCY_CYCLE"],
  ],
  [
    "bare ampersands",
    10_000,
    (size) =>
      scormPackage({
        metadata: `<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion><x:y xmlns:x="urn:x">${`<x:z>${"&\n".repeat(100)}</x:z>`.repeat(size / 100)}</x:y></metadata>`,
      }),
    ["W_XML_REPAIRED_AMPERSAND"],
  ],
  [
    "units of cmi5",
    1000,
    (size) => ({
      "cmi5.xml": cmi5Structure({ inside: many(size, (at) => au({ id: `urn:${at}` })).join("") }),
      "index.html": "",
    }),
    [],
  ],
  [
    "rows of AICC",
    1000,
    (size) =>
      aiccPackage({
        au: `System_ID,File_Name\n${many(size, (at) => `A${at},index.html`).join("\n")}`,
        des: `System_ID,Title\n${many(size, (at) => `A${at},"Unit ""${at}"""`).join("\n")}`,
        cst: `Block,Member\n${many(size - 1, (at) => `${at === 0 ? "ROOT" : `B${at}`},B${at + 1},A${at}`).join("\n")}\nB${size - 1},A1`,
      }),
    [],
  ],
  [
    "rows of AICC that are too many",
    60_000,
    (size) => aiccPackage({ au: `System_ID,File_Name\n${many(size, (at) => `A${at},index.html`).join("\n")}` }),
    ["E_MAN_TOO_MANY_ITEMS"],
  ],
  [
    "quotes that never end",
    10_000,
    (size) => aiccPackage({ au: `System_ID,File_Name\n${'"a"",'.repeat(size)}` }),
    ["E_AICC_SYNTAX"],
  ],
  [
    "folders in an address",
    2000,
    (size) => scormPackage({ resources: resources(sco({ href: `${"a/../".repeat(size)}index.html` })) }),
    [],
  ],
];

/** Quadratic work grows fourfold; sorting grows a little more than twofold. */
const MOST_GROWTH = 2.25;

let work: Awaited<ReturnType<typeof countWork>>;
beforeAll(async () => {
  work = await countWork();
});
afterAll(() => work.stop());

it.each(LARGE)("%s: %i of them take twice the work of half of them", async (_name, size, make, codes) => {
  const [half, whole] = [make(size / 2), make(size)];
  expect(codesOf(judge(whole))).toEqual(codes);
  const [first, second] = [await work.workOf(() => judge(half)), await work.workOf(() => judge(whole))];
  expect(first).toBeGreaterThan(0);
  expect(second / first).toBeLessThan(MOST_GROWTH);
});
