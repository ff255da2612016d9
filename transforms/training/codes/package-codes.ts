import { type CodeMeaning, refuses, warns } from "./code-meaning.js";

/** About the package as a whole (training modules, 2.1 and 3.1 row root), and about the text of its manifest (row XML). */
export const PACKAGE_CODES = {
  E_PKG_NO_MANIFEST: refuses(
    "no imsmanifest.xml, cmi5.xml, tincan.xml or AICC course files where a package has them",
    "Publish the course for an LMS (SCORM, AICC, cmi5 or xAPI), and pack the published folder's content with nothing beside it.",
  ),
  E_PKG_AMBIGUOUS_ROOT: refuses("several packages in one archive", "Pack each course into an archive of its own."),
  E_PKG_UNSUPPORTED_STANDARD: refuses(
    "a standard that is known and not taken: IMS Common Cartridge, plain IMS content, QTI, LTI or SCORM 1.1",
    "Publish the course as SCORM 1.2, SCORM 2004, AICC, cmi5 or xAPI.",
  ),
  W_PKG_NESTED_ROOT: warns(
    "the folder was packed instead of its content",
    "Pack the content of the published folder, so that the manifest lies at the top of the archive.",
  ),
  W_PKG_EXTRA_MANIFEST: warns(
    "a further manifest in a folder below; only the one at the top counts",
    "Take the other package out of this one, unless its pages are used.",
  ),
  W_PKG_MANIFEST_CASE: warns(
    "the manifest's name has other letter case than the standard",
    "Name the manifest exactly as the standard does, in small letters.",
  ),
  W_PKG_MULTIPLE_STANDARDS: warns(
    "manifests of several standards; one was chosen",
    "Publish for one standard only, and delete the manifest that an earlier export left.",
  ),
  W_PKG_SERVER_SIDE_FILE: warns(
    "a file that a web server would run or obey",
    "Leave server programs out of the course; they do not run in an LMS.",
  ),
  E_XML_NOT_WELLFORMED: refuses(
    "the manifest is no well-formed XML",
    "Publish the course again; if a manifest was changed by hand, mend it at the place told.",
  ),
  E_XML_DOCTYPE: refuses(
    "the manifest has a document type declaration",
    "Delete the DOCTYPE and write its entities out; a manifest needs none.",
  ),
  E_XML_DEPTH: refuses("elements nested too deep", "Arrange the course in fewer levels."),
  E_XML_TOO_LARGE: refuses(
    "the manifest is larger than any real one: bytes, elements or attributes",
    "List fewer files in the manifest, or divide the course.",
  ),
  E_XML_TEXT_TOO_LONG: refuses("a title or another text is too long", "Shorten the text at the place told."),
  E_XML_DANGEROUS_NAME: refuses(
    "an element is named __proto__, constructor or prototype",
    "Take the element out; no standard has it.",
  ),
  W_XML_ENCODING: warns(
    "the manifest is in another encoding than it says",
    "Save the manifest as UTF-8 and declare it so.",
  ),
  W_XML_DECLARATION: warns(
    "something stands before the XML declaration, or its version is unknown",
    'Begin the manifest with <?xml version="1.0" encoding="UTF-8"?> and nothing before it.',
  ),
  W_XML_REPAIRED_AMPERSAND: warns(
    "a bare & was read as &amp;",
    "Write &amp; for an & in titles and addresses, or update the authoring tool.",
  ),
  W_XML_UNBOUND_PREFIX: warns(
    "a prefix of names is declared nowhere",
    "Declare the namespace of the prefix at the manifest's first element.",
  ),
  W_XML_FOREIGN_ELEMENT: warns(
    "an element that would include, transform or show something (XInclude, XSLT, HTML, SVG); it is passed over",
    "Take the element out of the manifest.",
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>;
