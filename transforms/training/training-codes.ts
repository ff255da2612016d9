interface CodeMeaning {
  /** In the standard profile. */
  readonly level: "error" | "warning";
  /** One clause. */
  readonly meaning: string;
  /** One sentence: what to change in the authoring tool. */
  readonly remedy: string;
}

function refuses(meaning: string, remedy: string): CodeMeaning {
  return { level: "error", meaning, remedy };
}

function warns(meaning: string, remedy: string): CodeMeaning {
  return { level: "warning", meaning, remedy };
}

/** The package (training modules, 2.1 and 3.1 row root) and its manifest's text (row XML). */
const PACKAGE_CODES = {
  E_PKG_NO_MANIFEST: refuses(
    "no imsmanifest.xml, cmi5.xml, tincan.xml or AICC course files where a package has them",
    "Publish the course for an LMS (SCORM, AICC, cmi5 or xAPI). Pack the content of the published folder and nothing else.",
  ),
  E_PKG_AMBIGUOUS_ROOT: refuses("several packages in one archive", "Pack each course into a separate archive."),
  E_PKG_UNSUPPORTED_STANDARD: refuses(
    "a standard that guideferry does not support: IMS Common Cartridge, plain IMS content, QTI, LTI or SCORM 1.1",
    "Publish the course as SCORM 1.2, SCORM 2004, AICC, cmi5 or xAPI.",
  ),
  W_PKG_NESTED_ROOT: warns(
    "the folder was packed instead of its content",
    "Pack the content of the published folder, so that the manifest is at the top of the archive.",
  ),
  W_PKG_EXTRA_MANIFEST: warns(
    "another manifest in a subfolder; only the manifest at the top is used",
    "Remove the other package, unless the course uses its pages.",
  ),
  W_PKG_MANIFEST_CASE: warns(
    "the letter case of the manifest's name differs from the standard",
    "Name the manifest exactly as the standard does, in lower case.",
  ),
  W_PKG_MULTIPLE_STANDARDS: warns(
    "manifests of several standards; one of them is used",
    "Publish for one standard only, and delete the manifest that an earlier export left.",
  ),
  W_PKG_SERVER_SIDE_FILE: warns(
    "a program or configuration file of a web server",
    "Leave such files out of the course. They do not work in an LMS.",
  ),
  E_XML_NOT_WELLFORMED: refuses(
    "the manifest is not well-formed XML",
    "Publish the course again. If the manifest was edited by hand, correct it at the place of the finding.",
  ),
  E_XML_DOCTYPE: refuses(
    "the manifest has a document type declaration",
    "Delete the DOCTYPE and write its entities as text. A manifest does not need it.",
  ),
  E_XML_DEPTH: refuses("elements are nested too deep", "Arrange the course in fewer levels."),
  E_XML_TOO_LARGE: refuses(
    "the manifest has too many bytes, elements or attributes",
    "List fewer files in the manifest, or divide the course.",
  ),
  E_XML_TEXT_TOO_LONG: refuses("a title or another text is too long", "Shorten the text at the place of the finding."),
  E_XML_DANGEROUS_NAME: refuses(
    "an element is named __proto__, constructor or prototype",
    "Remove the element. No standard has it.",
  ),
  W_XML_ENCODING: warns(
    "the manifest is in another encoding than it declares",
    "Save the manifest as UTF-8 and declare it so.",
  ),
  W_XML_DECLARATION: warns(
    "content precedes the XML declaration, or its version is unknown",
    'Begin the manifest with <?xml version="1.0" encoding="UTF-8"?> and nothing before it.',
  ),
  W_XML_REPAIRED_AMPERSAND: warns(
    "a bare & was read as &amp;",
    "Write &amp; for an & in titles and addresses, or update the authoring tool.",
  ),
  W_XML_UNBOUND_PREFIX: warns(
    "a prefix of names is not declared",
    "Declare the namespace of the prefix in the first element of the manifest.",
  ),
  W_XML_FOREIGN_ELEMENT: warns(
    "an element that includes, transforms or shows content (XInclude, XSLT, HTML, SVG); it is ignored",
    "Remove the element from the manifest.",
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/** Manifests of any standard (training modules, 3.1 row manifest). */
const MANIFEST_CODES = {
  E_MAN_ROOT_ELEMENT: refuses(
    "the manifest's first element or its namespace is unknown",
    "Publish the course again in the current version of the standard, with exactly its namespace.",
  ),
  E_MAN_MISSING_ID: refuses("a mandatory identifier is missing", "Give the element an identifier of its own."),
  E_MAN_DUP_ID: refuses("an identifier is used twice", "Give each item, resource and unit an identifier of its own."),
  E_MAN_NO_LAUNCH: refuses(
    "the course has no page that a learner can open",
    "Add at least one page to the structure of the course and publish it again.",
  ),
  E_MAN_LAUNCH_MISSING: refuses(
    "a page that a learner opens is not in the package",
    "Add the file, or correct its address in the structure of the course, and publish again.",
  ),
  E_MAN_LAUNCH_UNSAFE: refuses(
    "a page that a learner opens is outside of the package, or its address is not a web address",
    "Use a path inside of the package, or an https address.",
  ),
  E_MAN_TOO_MANY_ITEMS: refuses("more items than the limit", "Divide the course into several packages."),
  W_MAN_ID_REUSED: warns(
    "an item, a resource or the manifest have the same identifier",
    "Give each of them an identifier of its own.",
  ),
  W_MAN_NO_ORGANIZATION: warns(
    "the course has no structure; its resources are used one by one",
    "Add the pages to the structure (the menu) of the course and publish again.",
  ),
  W_MAN_DEFAULT_ORG: warns(
    "the default organization is not named or missing; the first one is used",
    "Name one of the organizations as the default.",
  ),
  W_MAN_ITEM_REF_MISSING: warns(
    "an item refers to a missing resource and cannot be opened",
    "Change the reference to a page of the course, or delete the item.",
  ),
  W_MAN_CLUSTER_REF: warns(
    "an item with items below it opens a page, which SCORM 2004 forbids",
    "Make the page an item of its own below the heading.",
  ),
  W_MAN_RESOURCE_HREF: warns("an item opens a resource that names no page", "Name the page that starts the resource."),
  W_MAN_DEPENDENCY_MISSING: warns(
    "a resource depends on a missing resource",
    "Delete the dependency, or add the resource.",
  ),
  W_MAN_DEPENDENCY_CYCLE: warns("resources depend on each other in a circle", "Delete one dependency of the circle."),
  W_MAN_FILE_MISSING: warns(
    "a file that the manifest lists is not in the package",
    "Add the file, or remove it from the list.",
  ),
  W_MAN_CASE_MISMATCH: warns(
    "the letter case of a file's name differs from the manifest; web servers distinguish both",
    "Write the name in the course exactly as the file has it.",
  ),
  W_MAN_ORPHAN_FILE: warns(
    "files that the manifest does not list; they are kept",
    "List the files, or remove those that the course does not need.",
  ),
  W_MAN_EXTERNAL_HREF: warns(
    "content elsewhere on the web; guideferry never downloads it",
    "Check that learners can reach the address, or add the content to the package.",
  ),
  W_MAN_HREF_BACKSLASH: warns("back-slashes in an address", "Write / between folders."),
  W_MAN_HREF_ROOT: warns(
    "an address begins with /; it is read from the top of the package",
    "Write the address without the first /.",
  ),
  W_MAN_NAMESPACE: warns(
    "the namespace of the manifest is missing or ends with a slash",
    "Publish the course again with exactly the namespace of the standard.",
  ),
  W_MAN_XSD_MISSING: warns(
    "schema files that the manifest names are not in the package",
    "Publish with the schema files, or remove xsi:schemaLocation.",
  ),
  W_MAN_SCHEMALOCATION_REMOTE: warns(
    "the location of a schema is a web address; guideferry never downloads it",
    "Add the schema files to the package and name them without a host.",
  ),
  W_MAN_SCHEMAVERSION: warns(
    "the version is missing or unknown; the namespaces decide",
    "Write the version into metadata/schemaversion, such as 1.2 or 2004 4th Edition.",
  ),
  W_MAN_VERSION_CONFLICT: warns(
    "the version and the namespaces belong to different standards",
    "Publish again for one version of SCORM.",
  ),
  W_MAN_SCORMTYPE_MISSING: warns(
    "a page that a learner opens is marked neither as SCO nor as asset; it is read as a SCO",
    "Mark the resource with adlcp:scormtype (SCORM 1.2) or adlcp:scormType (SCORM 2004).",
  ),
  W_MAN_SCORMTYPE_CASE: warns(
    "the letter case of the mark for SCO or asset differs from the version of SCORM",
    "Write scormtype in SCORM 1.2 and scormType in SCORM 2004, and its value in lower case.",
  ),
  W_MAN_SUBMANIFEST: warns(
    "a manifest inside of the manifest; its content is not opened",
    "Publish the course as one manifest.",
  ),
  W_MAN_TITLE_MISSING: warns("a title is missing or empty", "Add a title."),
  W_MAN_TITLE_LONG: warns("a title has more than 255 characters", "Shorten the title."),
  W_MAN_TITLE_MARKUP: warns("a title contains markup, which is shown as text", "Write the title as plain text."),
  W_MAN_TITLE_FORMULA: warns(
    "a title begins like a formula of a spreadsheet; reports put an apostrophe before it",
    "Begin the title with a letter or a number.",
  ),
  W_MAN_TITLE_CONTROL: warns(
    "a title has control characters or marks of the writing direction; reports show them as numbers",
    "Type the title again.",
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/** cmi5, xAPI packages and AICC (training modules, 2.4 to 2.6). */
const OTHER_CODES = {
  E_CMI5_SCHEMA: refuses(
    "the course structure breaks the rules of CourseStructure.xsd",
    "Publish the course again with a tool that conforms to cmi5, or correct cmi5.xml at the place of the finding.",
  ),
  E_CMI5_IRI: refuses(
    "an id is not an absolute IRI",
    "Make the id an absolute address, such as https://example.com/course/1.",
  ),
  E_CMI5_DUP_ID: refuses(
    "the id of a unit, block or objective is used twice",
    "Give each unit, block and objective an id of its own.",
  ),
  E_CMI5_URL_INVALID: refuses(
    "the url of a unit is not an address",
    "Correct the url: write %20 for a space in a file name.",
  ),
  E_CMI5_REL_URL_NO_ZIP: refuses(
    "a course structure without a package has a url without a host",
    "Write the full https address, or pack cmi5.xml with its content as a zip archive.",
  ),
  E_CMI5_URL_MISSING_FILE: refuses(
    "the url of a unit names a file that is not in the package",
    "Add the file, or correct the url.",
  ),
  E_CMI5_QUERY_CONFLICT: refuses(
    "the url of a unit has a parameter that the launch needs: endpoint, fetch, actor, registration or activityId",
    "Rename the parameter in the url.",
  ),
  E_TINCAN_ACTIVITY_ID: refuses(
    "the id of an activity is not an absolute IRI",
    "Set the id of the activity to an absolute address, such as https://example.com/course/1.",
  ),
  E_TINCAN_MULTI_LAUNCH: refuses(
    "several activities have a launch",
    "Keep the launch of one activity, or pack the others as separate packages.",
  ),
  E_TINCAN_NO_LAUNCH: refuses("no activity has a launch", "Name the page that starts the course in <launch>."),
  E_AICC_MISSING_FILE: refuses(
    "one of the four course files (.crs, .au, .des, .cst) is missing",
    "Publish the course again with all four course files.",
  ),
  E_AICC_SYNTAX: refuses(
    "a course file does not have the form of its type",
    "Publish the course again, or correct the course file at the place of the finding.",
  ),
  W_AICC_BASENAME: warns(
    "the course files have different names",
    "Give the four course files the same name, with their four extensions.",
  ),
  W_AICC_ENCODING: warns("a course file is not UTF-8; it was read as windows-1252", "Save the course files as UTF-8."),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/** Texts of the specification (training modules, 3.1); `src/storage/archive` has archive codes. */
export const TRAINING_CODES = { ...PACKAGE_CODES, ...MANIFEST_CODES, ...OTHER_CODES } as const;

export type TrainingCode = keyof typeof TRAINING_CODES;

export function meaningOf(code: string): CodeMeaning | undefined {
  return Object.hasOwn(TRAINING_CODES, code) ? TRAINING_CODES[code as TrainingCode] : undefined;
}
