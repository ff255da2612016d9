import { type CodeMeaning, refuses, warns } from "./code-meaning.js";

/** About cmi5, xAPI packages and AICC alone (training modules, 2.4 to 2.6). */
export const OTHER_CODES = {
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
