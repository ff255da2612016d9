import { type CodeMeaning, refuses, warns } from "./code-meaning.js";

/** About what a manifest says, whatever its standard (training modules, 3.1 row manifest). */
export const MANIFEST_CODES = {
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
