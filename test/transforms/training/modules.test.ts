import { describe, expect, it } from "vitest";
import { moduleSchema } from "../../../src/core/model/module.js";
import { validateLoneFile } from "../../../transforms/training/validate-package.js";
import {
  activity,
  aiccPackage,
  au,
  cmi5Structure,
  item,
  judge,
  organization,
  resources,
  sco,
  scormManifest,
  scormPackage,
  TITLED,
  tincan,
} from "../../helpers/training-packages.js";

describe("modules", () => {
  it("of SCORM 1.2 have their items in the order of the menu, with parameters and scores", () => {
    const { module, manifests, root } = judge(
      scormPackage({
        attributes: 'xml:base="a/" xml:lang="de"',
        organizations: organization(
          item("I1", "", {
            inside:
              item("I2", "R1", {
                attributes: 'parameters="?x=1"',
                inside: "<adlcp:masteryscore>80</adlcp:masteryscore>",
              }) + item("I3", "R2", { title: "<title> </title>" }),
          }) + item("I4", "R1"),
        ),
        resources: `<resources xml:base="b/">${sco()}${sco({ id: "R2", href: "https://u:p@example.com/x", inside: "" })}</resources>`,
      }),
    );
    expect(module).toEqual({
      standard: "scorm12",
      identifier: "M1",
      title: "Fire safety",
      language: "de",
      units: [
        { id: "I1", title: "Item I1", launch: null, depth: 0, masteryScore: null },
        { id: "I2", title: "Item I2", launch: "a/b/index.html?x=1", depth: 1, masteryScore: 80 },
        { id: "I3", title: "x", launch: "https://example.com/x", depth: 1, masteryScore: null },
        { id: "I4", title: "Item I4", launch: "a/b/index.html", depth: 0, masteryScore: null },
      ],
      external: ["https://example.com/x"],
      usesSequencing: false,
    });
    expect([manifests, root]).toEqual([["imsmanifest.xml"], ""]);
  });

  it("of SCORM 2004 tell of sequencing, scores and the language of their metadata", () => {
    const sequencing =
      '<imsss:sequencing><imsss:objectives><imsss:primaryObjective satisfiedByMeasure="true"><imsss:minNormalizedMeasure>0.7</imsss:minNormalizedMeasure></imsss:primaryObjective></imsss:objectives></imsss:sequencing>';
    const { module } = judge(
      scormPackage({
        family: "2004",
        metadata:
          '<metadata><schema>ADL SCORM</schema><schemaversion>2004 3rd edition</schemaversion><lom xmlns="http://ltsc.ieee.org/xsd/LOM"><general><title><string>Other</string></title><language>fr</language></general></lom></metadata>',
        organizations: organization(item("I1", "R1", { inside: sequencing })),
      }),
    );
    expect(module).toMatchObject({
      standard: "scorm2004-3rd",
      language: "fr",
      title: "Fire safety",
      usesSequencing: true,
    });
    expect(module?.units[0]?.masteryScore).toBe(0.7);
  });

  it.each([
    ["", "1.2", "scorm12"],
    ["", "2004", "scorm2004-3rd"],
    ["CAM 1.3", "2004", "scorm2004-2nd"],
    ["1.3", "2004", "scorm2004-2nd"],
    ["2004 3rd Edition", "2004", "scorm2004-3rd"],
    ["2004 4th Edition", "2004", "scorm2004-4th"],
    ["2004 4th Edition", "1.2", "scorm2004-4th"],
    ["1.2", "2004", "scorm12"],
  ] as const)("with the version %j and the namespaces of %s are %s", (version, family, standard) => {
    const metadata = `<metadata><schema>ADL SCORM</schema><schemaversion>${version}</schemaversion></metadata>`;
    expect(judge(scormPackage({ family, metadata })).module?.standard).toBe(standard);
  });

  it("without a version and with a thing of the 4th edition are of that", () => {
    const organizations = organization(
      item("I1", "R1", { inside: '<adlcp:data><adlcp:map targetID="x"/></adlcp:data>' }),
    );
    expect(judge(scormPackage({ family: "2004", metadata: "", organizations })).module?.standard).toBe("scorm2004-4th");
  });

  it("without a title take their first item's, then a file's name, then the identifier", () => {
    const untitled = judge(scormPackage({ organizations: organization(item("I1", "R1"), "") }));
    expect(untitled.module?.title).toBe("Item I1");
    expect(judge(scormPackage({ organizations: "" })).module?.title).toBe("index.html");
    const empty = judge(scormPackage({ organizations: "", resources: "<resources/>" }));
    expect(empty.module?.title).toBe("M1");
  });

  it("take the default organization, and the first where it is not there", () => {
    const two = (named: string): string =>
      `<organizations default="${named}"><organization identifier="O1"><title>One</title>${item("I1", "R1")}</organization><organization identifier="O2"><title>Two</title>${item("I2", "R1")}</organization></organizations>`;
    expect(judge(scormPackage({ organizations: two("O2") })).module?.title).toBe("Two");
    expect(judge(scormPackage({ organizations: two("O9") })).module?.title).toBe("One");
  });

  it("without items have their SCOs, and without those all that has a page", () => {
    const both = resources(sco(), sco({ id: "R2", inside: "" }).replace('"sco"', '"asset"'));
    const { module } = judge(scormPackage({ organizations: "", resources: both }));
    expect(module?.units.map(({ id }) => id)).toEqual(["R1"]);
    const assets = judge(scormPackage({ organizations: "", resources: both.replaceAll('"sco"', '"asset"') }));
    expect(assets.module?.units.map(({ id }) => id)).toEqual(["R1", "R2"]);
  });

  it("of elements with any prefix are the same", () => {
    const prefixed = scormManifest()
      .replaceAll(
        /<(\/?)(manifest|metadata|schema|schemaversion|organizations?|title|item|resources?|file)\b/g,
        "<$1cp:$2",
      )
      .replace('xmlns="', 'xmlns:cp="')
      .replaceAll("adlcp", "x");
    const judged = judge({ "imsmanifest.xml": prefixed.replaceAll("x_rootv1p2", "adlcp_rootv1p2"), "index.html": "" });
    expect([judged.findings, judged.module]).toEqual([[], judge(scormPackage()).module]);
  });

  it("of cmi5 have blocks and units, and their first language", () => {
    const block = `<block id="urn:b">${TITLED}${au({ attributes: 'masteryScore="0.5"' })}</block>`;
    const { module } = judge({ "cmi5.xml": cmi5Structure({ inside: block }), "index.html": "" });
    expect(module).toEqual({
      standard: "cmi5",
      identifier: "https://example.com/course",
      title: "title",
      language: "en",
      units: [
        { id: "urn:b", title: "title", launch: null, depth: 0, masteryScore: null },
        { id: "https://example.com/au/1", title: "title", launch: "index.html", depth: 1, masteryScore: 0.5 },
      ],
      external: [],
      usesSequencing: false,
    });
  });

  it("of xAPI have the activity with the launch", () => {
    const second = activity({
      id: "urn:b",
      name: '<name lang="fr">Deux</name>',
      launch: '<launch lang="fr">b/c.html?x</launch>',
    });
    const { module } = judge({ "tincan.xml": tincan(activity({ launch: "" }) + second), "b/c.html": "" });
    expect(module).toEqual({
      standard: "xapi-tincan",
      identifier: "urn:b",
      title: "Deux",
      language: "fr",
      units: [{ id: "urn:b", title: "Deux", launch: "b/c.html?x", depth: 0, masteryScore: null }],
      external: [],
      usesSequencing: false,
    });
  });

  it("of AICC have blocks and units by their structure, what it leaves out at the end", () => {
    const made = aiccPackage({
      au: 'Mastery_Score,System_ID,File_Name,Web_Launch\n80,A1,index.html,?a=1\n,A2,"index.html?b",c\n,A3,index.html,',
      des: 'System_ID,Title\nA1,"One, or ""first"""\nB1,Part\nA2,Two\n',
      cst: "Block,Member,Member\nROOT,B1\nB1,a2,A1",
    });
    const { module, manifests } = judge(made);
    expect(module?.units).toEqual([
      { id: "B1", title: "Part", launch: null, depth: 0, masteryScore: null },
      { id: "A2", title: "Two", launch: "index.html?b&c", depth: 1, masteryScore: null },
      { id: "A1", title: 'One, or "first"', launch: "index.html?a=1", depth: 1, masteryScore: 80 },
      { id: "A3", title: "A3", launch: "index.html", depth: 0, masteryScore: null },
    ]);
    expect([module?.title, module?.identifier]).toEqual(["Ladders", "C1"]);
    expect(manifests).toEqual(["course.crs", "course.au", "course.des", "course.cst"]);
  });

  it("are what their schema says", () => {
    for (const made of [scormPackage(), { "cmi5.xml": cmi5Structure() }, { "tincan.xml": tincan() }, aiccPackage()])
      expect(moduleSchema.safeParse(judge(made).module).success).toBe(true);
  });

  it("of lone files say what they are", () => {
    const lone = (name: string, content: string): readonly unknown[] => {
      const judged = validateLoneFile(name, Buffer.from(content));
      return [judged.lone, judged.module?.standard, judged.manifests];
    };
    expect(lone("x.xml", scormManifest())).toEqual(["manifest-only", "scorm12", ["x.xml"]]);
    expect(lone("y.xml", cmi5Structure())).toEqual(["package", "cmi5", ["y.xml"]]);
    expect(lone("z.xml", tincan())).toEqual(["package", "xapi-tincan", ["z.xml"]]);
    expect(validateLoneFile("cmi5.xml", "too-large").findings.map(({ code }) => code)).toEqual(["E_XML_TOO_LARGE"]);
  });
});
