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

/**
 * The package as a whole (training modules, 2.1 and 3.1 row root), and the text of its manifest
 * (row XML).
 */
const PACKAGE_CODES = {
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

/** Manifests of any standard (training modules, 3.1 row manifest). */
const MANIFEST_CODES = {
  E_MAN_ROOT_ELEMENT: refuses(
    "the manifest's first element or its namespace is unknown",
    "Publish the course again with the standard's current form; the namespace has to be exactly the standard's.",
  ),
  E_MAN_MISSING_ID: refuses("a mandatory identifier is absent", "Give the element told of an identifier of its own."),
  E_MAN_DUP_ID: refuses("an identifier is used twice", "Give each item, resource and unit an identifier of its own."),
  E_MAN_NO_LAUNCH: refuses(
    "nothing that a learner could open",
    "Add at least one page to the course's structure and publish it again.",
  ),
  E_MAN_LAUNCH_MISSING: refuses(
    "what a learner shall open is not in the package",
    "Add the file, or correct its address in the course's structure, and publish again.",
  ),
  E_MAN_LAUNCH_UNSAFE: refuses(
    "what a learner shall open lies outside of the package, or is no address of the web",
    "Use a path inside of the package, or an https address.",
  ),
  E_MAN_TOO_MANY_ITEMS: refuses("more items than the limit", "Divide the course into several packages."),
  W_MAN_ID_REUSED: warns(
    "an item, a resource or the manifest share an identifier",
    "Give each of them an identifier of its own.",
  ),
  W_MAN_NO_ORGANIZATION: warns(
    "the course has no structure; its resources are taken one by one",
    "Add the pages to the course's structure (its menu) and publish again.",
  ),
  W_MAN_DEFAULT_ORG: warns(
    "the default organization is not named, or not there; the first one is taken",
    "Name one of the organizations as the default.",
  ),
  W_MAN_ITEM_REF_MISSING: warns(
    "an item refers to something that is not there; it can't be opened",
    "Point the item to a page of the course, or delete it.",
  ),
  W_MAN_CLUSTER_REF: warns(
    "an item with items below it opens a page, which SCORM 2004 forbids",
    "Make the page an item of its own below the heading.",
  ),
  W_MAN_RESOURCE_HREF: warns("an item opens a resource that names no page", "Name the page that starts the resource."),
  W_MAN_DEPENDENCY_MISSING: warns(
    "a resource depends on one that is not there",
    "Delete the dependency, or add the resource.",
  ),
  W_MAN_DEPENDENCY_CYCLE: warns("resources depend on each other in a circle", "Delete one dependency of the circle."),
  W_MAN_FILE_MISSING: warns(
    "a file that the manifest lists is not in the package",
    "Add the file, or take it off the list.",
  ),
  W_MAN_CASE_MISMATCH: warns(
    "a file's name has other letter case than the manifest; web servers tell them apart",
    "Write the name in the course exactly as the file has it.",
  ),
  W_MAN_ORPHAN_FILE: warns(
    "files that the manifest does not list; they are kept",
    "List the files, or leave out what the course does not need.",
  ),
  W_MAN_EXTERNAL_HREF: warns(
    "content that lies elsewhere in the web; it is never fetched",
    "Check that learners reach the address, or put the content into the package.",
  ),
  W_MAN_HREF_BACKSLASH: warns("back-slashes in an address", "Write / between folders."),
  W_MAN_HREF_ROOT: warns(
    "an address begins at the root of a server; it is read from the top of the package",
    "Write the address without the / at its beginning.",
  ),
  W_MAN_NAMESPACE: warns(
    "the manifest's namespace is absent or has a slash at its end",
    "Publish the course again with exactly the standard's namespace.",
  ),
  W_MAN_XSD_MISSING: warns(
    "schema files that the manifest names are not in the package",
    "Publish with the schema files, or take xsi:schemaLocation out.",
  ),
  W_MAN_SCHEMALOCATION_REMOTE: warns(
    "a schema's place is an address of the web; it is never fetched",
    "Put the schema files into the package and name them without a host.",
  ),
  W_MAN_SCHEMAVERSION: warns(
    "the version is not told, or not known; the namespaces were asked",
    "Write the version into metadata/schemaversion, such as 1.2 or 2004 4th Edition.",
  ),
  W_MAN_VERSION_CONFLICT: warns(
    "the version told and the namespaces are of different standards",
    "Publish again for one version of SCORM.",
  ),
  W_MAN_SCORMTYPE_MISSING: warns(
    "a page that is opened is neither marked as SCO nor as asset; it is taken as a SCO",
    "Mark the resource with adlcp:scormtype (SCORM 1.2) or adlcp:scormType (SCORM 2004).",
  ),
  W_MAN_SCORMTYPE_CASE: warns(
    "the mark for SCO or asset has other letter case than the version has it",
    "Write scormtype in SCORM 1.2 and scormType in SCORM 2004, and its value in small letters.",
  ),
  W_MAN_SUBMANIFEST: warns(
    "a manifest inside of the manifest; what it describes is not opened",
    "Publish the course as one manifest.",
  ),
  W_MAN_TITLE_MISSING: warns("a title is absent or empty", "Give it a title."),
  W_MAN_TITLE_LONG: warns("a title has more than 255 characters", "Shorten the title."),
  W_MAN_TITLE_MARKUP: warns("markup in a title; it is shown as it stands", "Write the title as plain text."),
  W_MAN_TITLE_FORMULA: warns(
    "a title begins as a formula of a spreadsheet does; reports put an apostrophe before it",
    "Begin the title with a letter or a number.",
  ),
  W_MAN_TITLE_CONTROL: warns(
    "a title has control characters or marks for the direction of writing; reports show them as numbers",
    "Type the title anew.",
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/** cmi5, xAPI packages and AICC (training modules, 2.4 to 2.6). */
const OTHER_CODES = {
  E_CMI5_SCHEMA: refuses(
    "the course structure breaks the rules of CourseStructure.xsd",
    "Publish the course again with a tool that conforms to cmi5, or mend cmi5.xml at the place told.",
  ),
  E_CMI5_IRI: refuses(
    "an id is no absolute IRI",
    "Make the id an absolute address, such as https://example.com/course/1.",
  ),
  E_CMI5_DUP_ID: refuses(
    "the id of a unit, block or objective is used twice",
    "Give each unit, block and objective an id of its own.",
  ),
  E_CMI5_URL_INVALID: refuses(
    "a unit's url is no address",
    "Correct the url: no spaces, and %20 for those of a file's name.",
  ),
  E_CMI5_REL_URL_NO_ZIP: refuses(
    "a course structure without a package has a url without a host",
    "Write the whole https address, or pack cmi5.xml with its content as a zip archive.",
  ),
  E_CMI5_URL_MISSING_FILE: refuses(
    "a unit's url names a file that is not in the package",
    "Add the file, or correct the url.",
  ),
  E_CMI5_QUERY_CONFLICT: refuses(
    "a unit's url uses a name that the launch needs: endpoint, fetch, actor, registration or activityId",
    "Rename the parameter in the url.",
  ),
  E_TINCAN_ACTIVITY_ID: refuses(
    "an activity's id is no absolute IRI",
    "Set the activity's id to an absolute address, such as https://example.com/course/1.",
  ),
  E_TINCAN_MULTI_LAUNCH: refuses(
    "several activities have a launch",
    "Leave the launch to one activity, or pack the others as packages of their own.",
  ),
  E_TINCAN_NO_LAUNCH: refuses("no activity has a launch", "Name the page that starts the course in <launch>."),
  E_AICC_MISSING_FILE: refuses(
    "one of the four course files (.crs, .au, .des, .cst) is absent",
    "Publish the course again with all four course files.",
  ),
  E_AICC_SYNTAX: refuses(
    "a course file can't be read as what it should be",
    "Publish the course again, or mend the course file at the place told.",
  ),
  W_AICC_BASENAME: warns(
    "the course files have different names",
    "Give the course files one name, with their four endings.",
  ),
  W_AICC_ENCODING: warns("a course file is not UTF-8; it was read as windows-1252", "Save the course files as UTF-8."),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/**
 * All codes of this folder, with the words of the specification of training modules (3.1);
 * `src/storage/archive` has those of archives.
 */
export const TRAINING_CODES = { ...PACKAGE_CODES, ...MANIFEST_CODES, ...OTHER_CODES } as const;

export type TrainingCode = keyof typeof TRAINING_CODES;

export function meaningOf(code: string): CodeMeaning | undefined {
  return Object.hasOwn(TRAINING_CODES, code) ? TRAINING_CODES[code as TrainingCode] : undefined;
}
