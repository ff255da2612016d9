import { resources, sco, scormPackage } from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

const ASSET = '<resource identifier="A1" type="webcontent" adlcp:scormtype="asset"';

function withVersion(version: string): string {
  return `<metadata><schema>ADL SCORM</schema><schemaversion>${version}</schemaversion></metadata>`;
}

function launching(href: string, attributes = ""): Case["made"] {
  return scormPackage({ attributes, resources: resources(sco({ href, inside: '<file href="index.html"/>' })) });
}

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/**
 * What an imsmanifest.xml says of files and schemas (training modules, 2.3 and row manifest of
 * 3.1).
 */
export const SCORM_FILE_CASES: readonly Case[] = [
  {
    name: "a dependency on nothing",
    made: scormPackage({
      resources: resources(sco({ inside: '<file href="index.html"/><dependency identifierref="NOPE"/>' })),
    }),
    codes: ["W_MAN_DEPENDENCY_MISSING"],
  },
  {
    name: "resources that depend on each other",
    made: scormPackage({
      resources: resources(
        sco({ inside: '<file href="index.html"/><dependency identifierref="A1"/>' }),
        `${ASSET}><dependency identifierref="R1"/></resource>`,
      ),
    }),
    codes: ["W_MAN_DEPENDENCY_CYCLE"],
  },
  {
    name: "a resource that depends on itself",
    made: scormPackage({
      resources: resources(sco({ inside: '<file href="index.html"/><dependency identifierref="R1"/>' })),
    }),
    codes: ["W_MAN_DEPENDENCY_CYCLE"],
  },
  {
    name: "a resource that two others depend on",
    made: scormPackage({
      resources: resources(
        sco({ inside: '<file href="index.html"/><dependency identifierref="A1"/><dependency identifierref="R2"/>' }),
        sco({ id: "R2", inside: '<file href="index.html"/><dependency identifierref="A1"/>' }),
        `${ASSET}/>`,
      ),
    }),
    codes: [],
  },
  {
    name: "a listed file that is not there",
    made: scormPackage({ resources: resources(sco({ inside: '<file href="index.html"/><file href="a.js"/>' })) }),
    codes: ["W_MAN_FILE_MISSING"],
  },
  {
    name: "the same, strictly",
    made: scormPackage({ resources: resources(sco({ inside: '<file href="index.html"/><file href="a.js"/>' })) }),
    codes: ["W_MAN_FILE_MISSING"],
    options: { profile: "strict" },
  },
  {
    name: "the same, leniently",
    made: scormPackage({ resources: resources(sco({ inside: '<file href="index.html"/><file href="a.js"/>' })) }),
    codes: [],
    options: { profile: "lenient" },
  },
  {
    name: "metadata in a file that is not there",
    made: scormPackage({
      metadata: withVersion("1.2").replace("</metadata>", "<adlcp:location>meta.xml</adlcp:location></metadata>"),
    }),
    codes: ["W_MAN_FILE_MISSING"],
  },
  {
    name: "metadata in a file of its own",
    made: scormPackage(
      {
        metadata: withVersion("1.2").replace(
          "</metadata>",
          "<adlcp:location>meta%20data.xml</adlcp:location></metadata>",
        ),
      },
      { "meta data.xml": "<lom/>" },
    ),
    codes: [],
  },
  { name: "other letter case than the file", made: launching("INDEX.html"), codes: ["W_MAN_CASE_MISMATCH"] },
  { name: "a file that nobody lists", made: scormPackage({}, { "notes/plan.txt": "" }), codes: ["W_MAN_ORPHAN_FILE"] },
  {
    name: "what pages load, and schemas",
    made: scormPackage({}, { "img/a.png": "", "lib/css/a.css": "", "adlcp_rootv1p2.xsd": "", "common/x.dtd": "" }),
    codes: [],
  },
  {
    name: "a page in the web",
    made: scormPackage({
      resources: resources(sco({ href: "https://user:secret@example.com/x", inside: '<file href="index.html"/>' })),
    }),
    codes: ["W_MAN_EXTERNAL_HREF"],
  },
  {
    name: "a base in the web",
    made: scormPackage({ attributes: 'xml:base="http://example.com/"' }, { "index.html": "" }),
    codes: ["W_MAN_EXTERNAL_HREF", "W_MAN_ORPHAN_FILE"],
  },
  {
    name: "back-slashes",
    made: scormPackage({ resources: resources(sco({ href: "a\\b.html" })) }, { "a/b.html": "", "index.html": "" }),
    codes: ["W_MAN_HREF_BACKSLASH", "W_MAN_ORPHAN_FILE"],
  },
  {
    name: "schemas that are not there",
    made: scormPackage({ attributes: `${XSI} xsi:schemaLocation="urn:a a.xsd urn:b b.xsd"` }),
    codes: ["W_MAN_XSD_MISSING"],
  },
  {
    name: "schemas that are there",
    made: scormPackage(
      { attributes: `${XSI} xsi:schemaLocation="urn:a a.xsd urn:b  x/b.xsd"` },
      { "a.xsd": "", "x/b.xsd": "" },
    ),
    codes: [],
  },
  {
    name: "schemas in the web",
    made: scormPackage({ attributes: `${XSI} xsi:schemaLocation="urn:a http://169.254.169.254/x"` }),
    codes: ["W_MAN_SCHEMALOCATION_REMOTE"],
  },
  {
    name: "a schema at a host without http or https",
    made: scormPackage({ attributes: `${XSI} xsi:schemaLocation="urn:a //example.com/a.xsd"` }),
    codes: ["W_MAN_SCHEMALOCATION_REMOTE"],
  },
  ...["ftp://example.com/a.xsd", "file:///etc/a.xsd", "\\\\example.com\\a.xsd"].map((place) => ({
    name: `a schema at ${place}`,
    made: scormPackage({ attributes: `${XSI} xsi:schemaLocation="urn:a ${place}"` }),
    codes: ["W_MAN_SCHEMALOCATION_REMOTE", "W_MAN_XSD_MISSING"],
  })),
  {
    name: "a page that is only guessed, and not there",
    made: scormPackage(
      {
        resources:
          '<resources><resource identifier="R1" adlcp:scormtype="sco"><file href="a.html"/></resource></resources>',
      },
      { "index.html": "" },
    ),
    codes: ["E_MAN_LAUNCH_MISSING", "W_MAN_FILE_MISSING", "W_MAN_ORPHAN_FILE", "W_MAN_RESOURCE_HREF"],
  },
];
