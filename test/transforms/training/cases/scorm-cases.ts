import {
  GOOD_ORGANIZATION,
  item,
  organization,
  resources,
  sco,
  scormPackage,
} from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

function launching(href: string, attributes = ""): Case["made"] {
  return scormPackage({ attributes, resources: resources(sco({ href, inside: '<file href="index.html"/>' })) });
}

/**
 * What an imsmanifest.xml says of items and what they open (training modules, 2.3 and row manifest
 * of 3.1).
 */
export const SCORM_CASES: readonly Case[] = [
  { name: "a package of SCORM 2004", made: scormPackage({ family: "2004" }), codes: [] },
  {
    name: "another first element",
    made: { "imsmanifest.xml": '<package xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"/>' },
    codes: ["E_MAN_ROOT_ELEMENT"],
  },
  {
    name: "a manifest without a namespace",
    made: scormPackage({ namespaces: 'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"' }),
    codes: ["W_MAN_NAMESPACE"],
  },
  {
    name: "a manifest of SCORM 2004 without a namespace",
    made: scormPackage({ family: "2004", namespaces: 'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"' }),
    codes: ["W_MAN_NAMESPACE"],
  },
  {
    name: "a namespace with a slash at its end",
    made: scormPackage({
      namespaces:
        'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2/" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"',
    }),
    codes: ["W_MAN_NAMESPACE"],
  },
  {
    name: "a namespace that is not SCORM's",
    made: scormPackage({ namespaces: 'xmlns="urn:x/" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"' }),
    codes: ["E_MAN_ROOT_ELEMENT"],
  },
  { name: "a manifest without an identifier", made: scormPackage({ identifier: "" }), codes: ["E_MAN_MISSING_ID"] },
  {
    name: "an item without an identifier",
    made: scormPackage({ organizations: organization('<item identifierref="R1"><title>A</title></item>') }),
    codes: ["E_MAN_MISSING_ID"],
  },
  {
    name: "two items with one identifier",
    made: scormPackage({ organizations: organization(item("I1", "R1") + item("I1", "R1")) }),
    codes: ["E_MAN_DUP_ID"],
  },
  {
    name: "two resources with one identifier",
    made: scormPackage({ resources: resources(sco(), sco()) }),
    codes: ["E_MAN_DUP_ID"],
  },
  {
    name: "an item and a resource with one identifier",
    made: scormPackage({ organizations: organization(item("R1", "R1")) }),
    codes: ["W_MAN_ID_REUSED"],
  },
  {
    name: "white space around identifiers",
    made: scormPackage({ organizations: organization(item("I1", " R1 ")), resources: resources(sco({ id: "  R1" })) }),
    codes: [],
  },
  {
    name: "items that open nothing",
    made: scormPackage({ organizations: organization(item("I1", "")) }),
    codes: ["E_MAN_NO_LAUNCH"],
  },
  {
    name: "an item that refers to nothing, and one that does not",
    made: scormPackage({ organizations: organization(item("I1", "NOPE") + item("I2", "R1")) }),
    codes: ["W_MAN_ITEM_REF_MISSING"],
  },
  {
    name: "no item but one that refers to nothing",
    made: scormPackage({ organizations: organization(item("I1", "NOPE")) }),
    codes: ["E_MAN_NO_LAUNCH", "W_MAN_ITEM_REF_MISSING"],
  },
  {
    name: "a second item whose page is not there",
    made: scormPackage({
      organizations: organization(item("I1", "R1") + item("I2", "R2")),
      resources: resources(sco(), sco({ id: "R2", href: "two.html", inside: "" })),
    }),
    codes: ["E_MAN_LAUNCH_MISSING"],
  },
  {
    name: "a page of another organization that is not there",
    made: scormPackage({
      organizations: GOOD_ORGANIZATION.replace(
        "</organizations>",
        `<organization identifier="O2"><title>Other</title>${item("I2", "R2")}</organization></organizations>`,
      ),
      resources: resources(sco(), sco({ id: "R2", href: "two.html", inside: "" })),
    }),
    codes: ["E_MAN_LAUNCH_MISSING"],
  },
  ...[
    "../index.html",
    "a/../../index.html",
    "%2e%2e/index.html",
    "..%2findex.html",
    "..%5cindex.html",
    "///index.html",
    "file:///etc/hosts",
    "javascript:alert(1)",
    "java&#10;script:alert(1)",
    " data:text/html,x",
    "C:/index.html",
    "index.html%00.txt",
    "https:///x",
  ].map((href) => ({ name: `the page ${href}`, made: launching(href), codes: ["E_MAN_LAUNCH_UNSAFE"] })),
  { name: "a page at the root of a server", made: launching("/index.html"), codes: ["W_MAN_HREF_ROOT"] },
  {
    name: "a page at the root of a server that is not in the package",
    made: launching("/etc/hosts"),
    codes: ["E_MAN_LAUNCH_MISSING", "W_MAN_HREF_ROOT"],
  },
  {
    name: "a page at the root of a server, out of it",
    made: launching("/../index.html"),
    codes: ["E_MAN_LAUNCH_UNSAFE"],
  },
  {
    name: "a page at the root of a server, with a base",
    made: launching("/index.html", 'xml:base="content/"'),
    codes: ["E_MAN_LAUNCH_UNSAFE", "W_MAN_FILE_MISSING", "W_MAN_ORPHAN_FILE"],
  },
  { name: "a page at another host", made: launching("//lms.example/x"), codes: ["W_MAN_EXTERNAL_HREF"] },
  {
    name: "a page on a server of an office",
    made: launching("\\\\server\\share\\index.html"),
    codes: ["E_MAN_LAUNCH_UNSAFE", "W_MAN_HREF_BACKSLASH"],
  },
  {
    name: "a page behind back-slashes that climb out",
    made: launching("..\\..\\x"),
    codes: ["E_MAN_LAUNCH_UNSAFE", "W_MAN_HREF_BACKSLASH"],
  },
  {
    name: "a base that climbs out",
    made: launching("index.html", 'xml:base="../../"'),
    codes: ["E_MAN_LAUNCH_UNSAFE", "W_MAN_FILE_MISSING", "W_MAN_ORPHAN_FILE"],
  },
  ...["index.html?a=1#b", "./index.html", "a/../index.html", "%69ndex.html", "index%2Ehtml"].map((href) => ({
    name: `the page ${href}`,
    made: launching(href),
    codes: [],
  })),
  {
    name: "5,001 items",
    made: scormPackage({
      organizations: organization(Array.from({ length: 5001 }, (_none, at) => item(`I${at}`, "R1")).join("")),
    }),
    codes: ["E_MAN_TOO_MANY_ITEMS"],
  },
  {
    name: "60,000 items, more elements than the gate takes",
    made: scormPackage({
      organizations: organization(Array.from({ length: 60_000 }, (_none, at) => item(`I${at}`, "R1")).join("")),
    }),
    codes: ["E_MAN_TOO_MANY_ITEMS", "E_XML_TOO_LARGE"],
  },
  {
    name: "no organization",
    made: scormPackage({ organizations: "<organizations/>" }),
    codes: ["W_MAN_NO_ORGANIZATION"],
  },
  { name: "no organizations at all", made: scormPackage({ organizations: "" }), codes: ["W_MAN_NO_ORGANIZATION"] },
  {
    name: "an organization without items",
    made: scormPackage({ organizations: organization("") }),
    codes: ["W_MAN_NO_ORGANIZATION"],
  },
  {
    name: "no organization and no page",
    made: scormPackage({ organizations: "<organizations/>", resources: "<resources/>" }, { "index.html": "" }),
    codes: ["E_MAN_NO_LAUNCH", "W_MAN_NO_ORGANIZATION", "W_MAN_ORPHAN_FILE"],
  },
  {
    name: "a default that is not there",
    made: scormPackage({ organizations: GOOD_ORGANIZATION.replace('default="O1"', 'default="O9"') }),
    codes: ["W_MAN_DEFAULT_ORG"],
  },
  {
    name: "no default",
    made: scormPackage({ organizations: GOOD_ORGANIZATION.replace(' default="O1"', "") }),
    codes: ["W_MAN_DEFAULT_ORG"],
  },
  {
    name: "a heading that opens a page in SCORM 2004",
    made: scormPackage({ family: "2004", organizations: organization(item("I1", "R1", { inside: item("I2", "R1") })) }),
    codes: ["W_MAN_CLUSTER_REF"],
  },
  {
    name: "a heading that opens a page in SCORM 1.2",
    made: scormPackage({ organizations: organization(item("I1", "R1", { inside: item("I2", "R1") })) }),
    codes: [],
  },
  {
    name: "a resource that names its page as its first file only",
    made: scormPackage({
      resources: `<resources><resource identifier="R1" adlcp:scormtype="sco"><file href="index.html"/></resource></resources>`,
    }),
    codes: ["W_MAN_RESOURCE_HREF"],
  },
];
