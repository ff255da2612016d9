import { aiccPackage, cmi5Structure, scormManifest, scormPackage, tincan } from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

const MANIFEST = scormManifest();

/** How packages are recognised (training modules, 2.1 and row root of 3.1). */
export const PACKAGE_CASES: readonly Case[] = [
  { name: "a package with one page", made: scormPackage(), codes: [] },
  { name: "an empty package", made: {}, codes: ["E_PKG_NO_MANIFEST"] },
  { name: "pages alone", made: { "story.html": "" }, codes: ["E_PKG_NO_MANIFEST"] },
  { name: "a packed package", made: { "course.zip": "" }, codes: ["E_PKG_NO_MANIFEST"] },
  { name: "one sound with the ending of AICC", made: { "voice.au": "" }, codes: ["E_PKG_NO_MANIFEST"] },
  {
    name: "a file beside the wrapper folder",
    made: { "course/imsmanifest.xml": MANIFEST, "course/index.html": "", "readme.txt": "" },
    codes: ["E_PKG_NO_MANIFEST"],
  },
  {
    name: "two packages side by side",
    made: { "a/imsmanifest.xml": MANIFEST, "b/tincan.xml": tincan() },
    codes: ["E_PKG_AMBIGUOUS_ROOT"],
  },
  {
    name: "two sets of AICC course files in one folder",
    made: { ...aiccPackage(), "other.crs": "", "other.au": "" },
    codes: ["E_PKG_AMBIGUOUS_ROOT"],
  },
  {
    name: "a wrapper folder",
    made: { "My Course/imsmanifest.xml": MANIFEST, "My Course/index.html": "" },
    codes: ["W_PKG_NESTED_ROOT"],
  },
  {
    name: "wrapper folders in each other",
    made: { "a/b c/cmi5.xml": cmi5Structure(), "a/b c/index.html": "" },
    codes: ["W_PKG_NESTED_ROOT"],
  },
  {
    name: "a package in a folder of another",
    made: scormPackage({}, { "old/imsmanifest.xml": MANIFEST }),
    codes: ["W_PKG_EXTRA_MANIFEST"],
  },
  {
    name: "a package in a folder of a wrapped one",
    made: { "a/imsmanifest.xml": MANIFEST, "a/index.html": "", "a/old/imsmanifest.xml": MANIFEST },
    codes: ["W_PKG_EXTRA_MANIFEST", "W_PKG_NESTED_ROOT"],
  },
  {
    name: "a manifest in capitals",
    made: { "IMSMANIFEST.XML": MANIFEST, "index.html": "" },
    codes: ["W_PKG_MANIFEST_CASE"],
  },
  {
    name: "SCORM and a tincan.xml that was left there",
    made: scormPackage({}, { "tincan.xml": tincan() }),
    codes: ["W_PKG_MULTIPLE_STANDARDS"],
  },
  {
    name: "SCORM and cmi5",
    made: scormPackage({}, { "cmi5.xml": cmi5Structure() }),
    codes: ["W_PKG_MULTIPLE_STANDARDS"],
  },
  {
    name: "SCORM and a cmi5.xml that is something else",
    made: scormPackage({}, { "cmi5.xml": "<settings/>" }),
    codes: ["W_PKG_MULTIPLE_STANDARDS"],
  },
  {
    name: "programs for a server",
    made: { "cmi5.xml": cmi5Structure(), "index.html": "", "save.PHP": "", "a/.htaccess": "", "web.config": "" },
    codes: ["W_PKG_SERVER_SIDE_FILE"],
  },
  ...["1.0.0", "1.1"].map((version) => ({
    name: `IMS Common Cartridge by its metadata, ${version}`,
    made: scormPackage({
      metadata: `<metadata><schema>IMS Common Cartridge</schema><schemaversion>${version}</schemaversion></metadata>`,
    }),
    codes: ["E_PKG_UNSUPPORTED_STANDARD"],
  })),
  {
    name: "IMS Common Cartridge by its namespace",
    made: scormPackage({
      namespaces: 'xmlns="http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1"',
      resources: "<resources/>",
    }),
    codes: ["E_PKG_UNSUPPORTED_STANDARD"],
  },
  {
    name: "SCORM 1.1 by its version",
    made: scormPackage({
      metadata: "<metadata><schema>ADL SCORM</schema><schemaversion>1.1</schemaversion></metadata>",
    }),
    codes: ["E_PKG_UNSUPPORTED_STANDARD"],
  },
  {
    name: "plain IMS content",
    made: scormPackage({
      metadata: "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>",
      resources: '<resources><resource identifier="R1" type="webcontent" href="index.html"/></resources>',
    }),
    codes: ["E_PKG_UNSUPPORTED_STANDARD"],
  },
];
