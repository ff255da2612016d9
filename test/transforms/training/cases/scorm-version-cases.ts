import {
  GOOD_ORGANIZATION,
  item,
  organization,
  resources,
  sco,
  scormManifest,
  scormPackage,
} from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

function withVersion(version: string): string {
  return `<metadata><schema>ADL SCORM</schema><schemaversion>${version}</schemaversion></metadata>`;
}

function withTitle(title: string): Case["made"] {
  return scormPackage({ organizations: organization(item("I1", "R1", { title: `<title>${title}</title>` })) });
}

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/**
 * Versions, marks and titles in an imsmanifest.xml, and one without its files (training modules,
 * 2.2, 2.3 and row manifest of 3.1).
 */
export const SCORM_VERSION_CASES: readonly Case[] = [
  { name: "no version", made: scormPackage({ metadata: "" }), codes: ["W_MAN_SCHEMAVERSION"] },
  {
    name: "IMS content in the namespace of SCORM 2004, with nothing of SCORM",
    made: scormPackage({
      namespaces: 'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"',
      metadata: "",
      resources: '<resources><resource identifier="R1" type="webcontent" href="index.html"/></resources>',
    }),
    codes: ["E_PKG_UNSUPPORTED_STANDARD", "W_MAN_SCHEMAVERSION", "W_MAN_SCORMTYPE_MISSING"],
  },
  {
    name: "the same with ADL's namespace declared and not used",
    made: scormPackage({
      family: "2004",
      metadata: "",
      resources: '<resources><resource identifier="R1" type="webcontent" href="index.html"/></resources>',
    }),
    codes: ["W_MAN_SCHEMAVERSION", "W_MAN_SCORMTYPE_MISSING"],
  },
  {
    name: "a version that nobody knows",
    made: scormPackage({ metadata: withVersion("7") }),
    codes: ["W_MAN_SCHEMAVERSION"],
  },
  {
    name: "a version in other letter case",
    made: scormPackage({ family: "2004", metadata: withVersion(" cam  1.3 ") }),
    codes: [],
  },
  {
    name: "a version of the other family",
    made: scormPackage({ metadata: withVersion("2004 3rd Edition") }),
    codes: ["W_MAN_VERSION_CONFLICT"],
  },
  {
    name: "a page without a mark",
    made: scormPackage({
      resources: '<resources><resource identifier="R1" type="webcontent" href="index.html"/></resources>',
    }),
    codes: ["W_MAN_SCORMTYPE_MISSING"],
  },
  {
    name: "a page with an unknown mark",
    made: scormPackage({ resources: resources(sco().replace('"sco"', '"lesson"')) }),
    codes: ["W_MAN_SCORMTYPE_MISSING"],
  },
  {
    name: "a mark of the other family",
    made: scormPackage({ resources: resources(sco().replace("scormtype", "scormType")) }),
    codes: ["W_MAN_SCORMTYPE_CASE"],
  },
  {
    name: "a mark in capitals",
    made: scormPackage({ resources: resources(sco().replace('"sco"', '"SCO"')) }),
    codes: ["W_MAN_SCORMTYPE_CASE"],
  },
  {
    name: "a manifest in the manifest",
    made: scormPackage(
      {
        behind: `<manifest identifier="M2"><organizations/>${resources(sco({ id: "R2", href: "two.html" }))}</manifest>`,
      },
      { "two.html": "" },
    ),
    codes: ["W_MAN_SUBMANIFEST"],
  },
  {
    name: "an item without a title",
    made: scormPackage({ organizations: organization(item("I1", "R1", { title: "" })) }),
    codes: ["W_MAN_TITLE_MISSING"],
  },
  {
    name: "an organization without a title",
    made: scormPackage({ organizations: organization(item("I1", "R1"), "<title> </title>") }),
    codes: ["W_MAN_TITLE_MISSING"],
  },
  { name: "a long title", made: withTitle("x".repeat(256)), codes: ["W_MAN_TITLE_LONG"] },
  {
    name: "a title with markup",
    made: withTitle("&lt;script&gt;alert(1)&lt;/script&gt;"),
    codes: ["W_MAN_TITLE_MARKUP"],
  },
  {
    name: "a title with a tag that is never closed",
    made: withTitle("&lt;img src=x onerror=alert(1)"),
    codes: ["W_MAN_TITLE_MARKUP"],
  },
  { name: "a title with elements", made: withTitle("a <b>c</b>"), codes: ["W_MAN_TITLE_MARKUP"] },
  { name: "a title with a comparison", made: withTitle("a &lt; b &gt; c"), codes: [] },
  ...["=1+1", "+cmd", "-2", "@SUM(1)"].map((title) => ({
    name: `the title ${title}`,
    made: withTitle(title),
    codes: ["W_MAN_TITLE_FORMULA"],
  })),
  { name: "a title that turns the writing", made: withTitle("ok&#x202E;txt"), codes: ["W_MAN_TITLE_CONTROL"] },
  { name: "a title with a control character", made: withTitle("ok&#x85;"), codes: ["W_MAN_TITLE_CONTROL"] },
  { name: "a title in CDATA over two lines", made: withTitle("<![CDATA[Golf\n  & more]]>"), codes: [] },
  {
    name: "a manifest without its files",
    made: {
      lone: "imsmanifest.xml",
      content: scormManifest({ attributes: `${XSI} xsi:schemaLocation="urn:a a.xsd"` }),
    },
    codes: [],
  },
  {
    name: "a manifest without its files that has a fault of its own",
    made: { lone: "x.xml", content: scormManifest({ organizations: GOOD_ORGANIZATION.replace('"O1"', '"O9"') }) },
    codes: ["W_MAN_DEFAULT_ORG"],
  },
  { name: "a lone file of something else", made: { lone: "x.xml", content: "<html/>" }, codes: ["E_MAN_ROOT_ELEMENT"] },
];
