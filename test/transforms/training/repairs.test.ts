import { describe, expect, it } from "vitest";
import type { ValidationResult } from "../../../transforms/training/validation.js";
import {
  activity,
  aiccPackage,
  codesOf,
  judge,
  resources,
  sco,
  scormManifest,
  scormPackage,
  tincan,
} from "../../helpers/training-packages.js";

const GOOD = scormManifest();

function rewritten({ rewritten: files }: ValidationResult, path = "imsmanifest.xml"): string {
  const bytes = files.get(path);
  return bytes === undefined ? "" : Buffer.from(bytes).toString("utf8");
}

/** What is left to say once the repairs are made. */
function afterRepair(
  made: Readonly<Record<string, string | Uint8Array>>,
  judgement: ValidationResult,
): readonly string[] {
  const repaired = Object.entries(made).map(([path, content]) => [
    judgement.renamed.get(path) ?? path,
    judgement.rewritten.get(path) ?? content,
  ]);
  return codesOf(judge(Object.fromEntries(repaired)));
}

describe("the repairs", () => {
  it("leave a good manifest alone", () => {
    const judgement = judge(scormPackage());
    expect([judgement.rewritten.size, judgement.renamed.size, judgement.repairs]).toEqual([0, 0, []]);
  });

  it.each([
    ["SCORM 1.2", GOOD, ' xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"', "1.2"],
    ["SCORM 2004", scormManifest({ family: "2004" }), ' xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"', "2004"],
  ])("give %s the namespace that it lacks, or that ends with a slash", (_name, manifest, declaration) => {
    const without = manifest.replace(declaration, "");
    const slashed = manifest.replace(declaration, declaration.replace(/"$/, '/"'));
    for (const broken of [without, slashed]) {
      expect(broken).not.toBe(manifest);
      const made = { "imsmanifest.xml": broken, "index.html": "" };
      const judgement = judge(made);
      expect([codesOf(judgement), judgement.module?.title]).toEqual([
        ["W_MAN_NAMESPACE"],
        judge({ "imsmanifest.xml": manifest, "index.html": "" }).module?.title,
      ]);
      expect(judgement.repairs.map(({ code }) => code)).toEqual(["W_MAN_NAMESPACE"]);
      expect(rewritten(judgement)).toContain(declaration);
      expect(afterRepair(made, judgement)).toEqual([]);
    }
  });

  it("take the slash off at the beginning of an address", () => {
    const made = { "imsmanifest.xml": GOOD.replaceAll('href="index.html"', 'href="/index.html"'), "index.html": "" };
    const judgement = judge(made);
    expect(judgement.module?.units[0]?.launch).toBe("index.html");
    expect([...new Set(judgement.repairs.map(({ code }) => code))]).toEqual(["W_MAN_HREF_ROOT"]);
    expect(rewritten(judgement)).toBe(GOOD);
    expect(afterRepair(made, judgement)).toEqual([]);
  });

  it("write &amp; for bare ampersands and leave every other character as it is", () => {
    const manifest = GOOD.replaceAll("\n", "\r\n")
      .replace("Fire", "<!-- a & b -->Fire & flood &amp; <![CDATA[x & y]]> &#38; AT&T")
      .replace('href="index.html"', 'href="index.html?a=1&b=2&copy=3"');
    const made = { "imsmanifest.xml": manifest, "index.html": "" };
    const judgement = judge(made);
    expect(codesOf(judgement)).toEqual(["W_XML_REPAIRED_AMPERSAND"]);
    expect(rewritten(judgement)).toBe(
      manifest
        .replace("Fire & flood", "Fire &amp; flood")
        .replace("AT&T", "AT&amp;T")
        .replace("1&b=2&copy", "1&amp;b=2&amp;copy"),
    );
    expect(judgement.repairs).toEqual([
      { code: "W_XML_REPAIRED_AMPERSAND", path: "imsmanifest.xml", what: "4 bare & became &amp;" },
    ]);
    expect(judgement.module?.title).toBe("Fire & flood & x & y & AT&T safety");
    expect(judgement.module?.units[0]?.launch).toBe("index.html?a=1&b=2&copy=3");
    expect(afterRepair(made, judgement)).toEqual([]);
  });

  it("tell where each ampersand stands", () => {
    const { findings } = judge({ "imsmanifest.xml": GOOD.replace("Fire", "Fire\r\n & flood\n& x"), "index.html": "" });
    expect(findings.map(({ place }) => place)).toEqual(["imsmanifest.xml:3:2", "imsmanifest.xml:4:1"]);
  });

  it("keep a byte order mark", () => {
    const made = { "imsmanifest.xml": `\ufeff${GOOD.replace("Fire", "&")}`, "index.html": "" };
    expect(rewritten(judge(made))).toBe(`\ufeff${GOOD.replace("Fire", "&amp;")}`);
  });

  it.each([
    ["UTF-16 without a mark", "utf16le" as const],
    ["UTF-8 that calls itself UTF-16", "utf8" as const],
  ])("make UTF-8 of %s", (_name, encoding) => {
    const manifest = GOOD.replace('encoding="UTF-8"', "encoding='UTF-16'").replace("Fire", "Größe");
    const made = { "imsmanifest.xml": Buffer.from(manifest, encoding), "index.html": "" };
    const judgement = judge(made);
    expect(codesOf(judgement)).toEqual(["W_XML_ENCODING"]);
    expect(rewritten(judgement)).toBe(manifest.replace("UTF-16", "UTF-8"));
    expect(afterRepair(made, judgement)).toEqual([]);
  });

  it("make UTF-8 of another encoding only when something else changes", () => {
    const manifest = GOOD.replace("UTF-8", "ISO-8859-1").replace("Fire", "Größe & mehr");
    const made = { "imsmanifest.xml": Buffer.from(manifest, "latin1"), "index.html": "" };
    const judgement = judge(made);
    expect(rewritten(judgement)).toBe(manifest.replace("ISO-8859-1", "UTF-8").replace("&", "&amp;"));
    expect(afterRepair(made, judgement)).toEqual([]);
  });

  it("take away what stands before the declaration, behind all changes of lines", () => {
    const made = { "imsmanifest.xml": `\n\n  ${GOOD.replaceAll("index.html", "a\\b.html")}`, "a/b.html": "" };
    const judgement = judge(made);
    expect(codesOf(judgement)).toEqual(["W_MAN_HREF_BACKSLASH", "W_XML_DECLARATION"]);
    expect(rewritten(judgement)).toBe(GOOD.replaceAll("index.html", "a/b.html"));
    expect(afterRepair(made, judgement)).toEqual([]);
  });

  it("write slashes in addresses, and nowhere else", () => {
    const manifest = scormManifest({
      attributes: 'xml:base="x\\"',
      resources: resources(
        `<!-- <file href="a\\b"/> -->${sco({ href: "a\\b.html", inside: `<file title="x\\y" href='a\\b.html' note='x\\y' />\r\n<file href="c\\d.js?q=\\"/>` })}`,
      ),
    }).replace("Fire", "C:\\Fire");
    const made = { "imsmanifest.xml": manifest, "x/a/b.html": "", "x/c/d.js": "" };
    const judgement = judge(made);
    expect(codesOf(judgement)).toEqual(["W_MAN_HREF_BACKSLASH"]);
    expect(rewritten(judgement)).toBe(
      manifest.replace('"x\\"', '"x/"').replaceAll("a\\b.html", "a/b.html").replace("c\\d.js", "c/d.js"),
    );
    expect(judgement.repairs).toEqual([
      { code: "W_MAN_HREF_BACKSLASH", path: "imsmanifest.xml", what: "4 back-slashes in addresses became slashes" },
    ]);
    expect(judgement.module?.units[0]?.launch).toBe("x/a/b.html");
    expect(afterRepair(made, judgement)).toEqual([]);
  });

  it("give addresses the Unicode form that all names of files have", () => {
    const manifest = scormManifest({
      resources: resources(
        sco({
          href: "Cafe\u0301/u\u0308.html?e\u0301#e\u0301",
          inside: '<file href="Cafe%CC%81/u%cc%88.html"/><file href="%C3%A9.js"/><file href="gone/e\u0301"/>',
        }),
      ),
    }).replace("Fire", "Fire\u0301");
    const made = { "imsmanifest.xml": manifest, "Caf\u00e9/\u00fc.html": "", "\u00e9.js": "" };
    const judgement = judge(made);
    expect(codesOf(judgement)).toEqual(["W_MAN_FILE_MISSING"]);
    expect(rewritten(judgement)).toBe(
      manifest
        .replace("Cafe\u0301/u\u0308.html?e", "Caf\u00e9/\u00fc.html?e")
        .replace("Cafe%CC%81/u%cc%88.html", "Caf%C3%A9/%C3%BC.html"),
    );
    expect(judgement.repairs).toEqual([
      {
        code: "W_ZIP_NAME_NFD",
        path: "imsmanifest.xml",
        what: "2 addresses got Unicode form C, like the names of files",
      },
    ]);
    expect(afterRepair(made, judgement)).toEqual(["W_MAN_FILE_MISSING"]);
  });

  it("mend letter case only when asked to, in the manifest and not in the file's name", () => {
    const manifest = scormManifest({
      resources: resources(
        sco({ href: "Pages/INDEX.html?A=B", inside: '<file href="PAGES/index.HTML"/><file href="pages/a%20B.js"/>' }),
      ),
    });
    const made = { "imsmanifest.xml": manifest, "pages/index.html": "", "pages/a b.js": "" };
    expect(judge(made).rewritten.size).toBe(0);
    const judgement = judge(made, { fixCase: true });
    expect(codesOf(judgement)).toEqual(["W_MAN_CASE_MISMATCH"]);
    expect(rewritten(judgement)).toBe(
      manifest.replace("Pages/INDEX.html?A=B", "pages/index.html?A=B").replace("PAGES/index.HTML", "pages/index.html"),
    );
    expect(judgement.renamed.size).toBe(0);
  });

  it("write slashes in the text of tincan.xml and in the fields of AICC", () => {
    const xapi = {
      "tincan.xml": tincan(activity({ launch: "<launch lang='en'> a\\b.html?x=\\ </launch>" })),
      "a/b.html": "",
    };
    const first = judge(xapi);
    expect(rewritten(first, "tincan.xml")).toBe(xapi["tincan.xml"].replace("a\\b", "a/b"));
    expect(afterRepair(xapi, first)).toEqual([]);
    const units = 'System_ID,File_Name,Core_Vendor\r\nA1, "a\\b.html" ,x\\y\r\n';
    const aicc = aiccPackage({ au: units }, { "a/b.html": "" }) as Readonly<Record<string, string>>;
    const second = judge(aicc);
    expect(rewritten(second, "course.au")).toBe(units.replace("a\\b", "a/b"));
    expect(second.repairs).toEqual([
      { code: "W_MAN_HREF_BACKSLASH", path: "course.au", what: "1 back-slashes in addresses became slashes" },
    ]);
    expect(afterRepair(aicc, second)).toEqual([]);
  });

  it("give a manifest its right name", () => {
    const made = { "Course/ImsManifest.XML": GOOD, "Course/index.html": "" };
    const judgement = judge(made);
    expect([...judgement.renamed]).toEqual([["Course/ImsManifest.XML", "Course/imsmanifest.xml"]]);
    expect(judgement.repairs).toEqual([
      { code: "W_PKG_MANIFEST_CASE", path: "Course/ImsManifest.XML", what: "it is named imsmanifest.xml" },
    ]);
    expect(afterRepair(made, judgement)).toEqual(["W_PKG_NESTED_ROOT"]);
  });
});
