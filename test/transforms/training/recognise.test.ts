import { describe, expect, it } from "vitest";
import type { ValidationOptions } from "../../../transforms/training/profile.js";
import { levelIn } from "../../../transforms/training/profile.js";
import { recognise } from "../../../transforms/training/recognise.js";
import {
  aiccPackage,
  cmi5Structure,
  filesOf,
  judge,
  type Package,
  scormPackage,
  tincan,
} from "../../helpers/training-packages.js";

function recognised(made: Package, options: ValidationOptions = {}): ReturnType<typeof recognise> {
  return recognise(filesOf(made), options);
}

describe("a package is recognised", () => {
  it("by its manifest at the top, exactly spelled before any other spelling", () => {
    const { wanted, root } = recognised({ "IMSManifest.xml": "", "imsmanifest.xml": "", "a/b.html": "" });
    expect([wanted, root]).toEqual([["imsmanifest.xml"], ""]);
  });

  it("in a wrapper folder, whatever its name", () => {
    const { wanted, root } = recognised({ "Kurs 1/x/tincan.xml": "", "Kurs 1/x/a.html": "" });
    expect([wanted, root]).toEqual([["Kurs 1/x/tincan.xml"], "Kurs 1/x/"]);
  });

  it("in AICC by the files that belong together", () => {
    const { wanted } = recognised({ ...aiccPackage(), "a-sound.au": "", "other.des": "" });
    expect(wanted).toEqual(["course.crs", "course.au", "course.des", "course.cst"]);
  });

  it.each([
    [{}, "cmi5"],
    [{ prefer: "scorm" }, "scorm12"],
    [{ prefer: "cmi5" }, "cmi5"],
  ] as const)("where cmi5 and SCORM stand side by side, by what is preferred: %j", (options, standard) => {
    expect(judge(scormPackage({}, { "cmi5.xml": cmi5Structure() }), options).module?.standard).toBe(standard);
  });

  it("as what is whole where a manifest is not what its name says", () => {
    expect(judge(scormPackage({}, { "cmi5.xml": "<settings/>" })).module?.standard).toBe("scorm12");
    expect(judge(scormPackage({}, { "cmi5.xml": "<broken" })).module?.standard).toBe("scorm12");
    expect(judge({ ...aiccPackage(), "tincan.xml": tincan() }).module?.standard).toBe("xapi-tincan");
  });

  it("with a hint about what it is instead", () => {
    const hint = (made: Package): string => recognised(made).findings[0]?.detail ?? "";
    expect(hint({ "story.html": "", "a.js": "" })).toMatch(/published for the web/);
    expect(hint({ "course.zip": "" })).toMatch(/packed package/);
    expect(hint({ "a.pdf": "" })).toMatch(/no imsmanifest\.xml/);
    expect(hint({ "a/imsmanifest.xml": "", "b.txt": "" })).toMatch(/such as b\.txt/);
  });

  it("with names on one line that nobody can hide in", () => {
    const { findings } = recognised({ "imsmanifest.xml": "", "a\u202eexe\n.php": "" });
    expect(findings.map(({ place }) => place)).toEqual(["a\\u202eexe\\u000a.php"]);
  });

  it("as too large by its sizes alone", () => {
    const { findings } = recognised({ "imsmanifest.xml": 30_000_000 });
    expect(findings.map(({ code, place }) => [code, place])).toEqual([["E_XML_TOO_LARGE", "imsmanifest.xml"]]);
  });

  it("also when an archive that was refused names a file twice", () => {
    expect(() =>
      recognise({ paths: ["imsmanifest.xml", "imsmanifest.xml", "", "/", "a//b"], size: () => 0 }),
    ).not.toThrow();
  });
});

describe("profiles", () => {
  it("make errors of warnings, and keep the rest", () => {
    const made = { "IMSMANIFEST.XML": "<x/>" };
    expect(recognised(made).findings.map(({ level }) => level)).toEqual(["warning"]);
    expect(recognised(made, { profile: "strict" }).findings.map(({ level }) => level)).toEqual(["error"]);
    expect(levelIn("strict", "W_MAN_ORPHAN_FILE")).toBe("warning");
    expect(levelIn("lenient", "W_ZIP_TRAILING_DATA")).toBe("allowed");
    expect(levelIn("lenient", "E_ZIP_CRC")).toBe("error");
    expect(levelIn("strict", "toString")).toBe("error");
  });
});
