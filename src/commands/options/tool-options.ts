import {
  DOCUMENT_NAMES,
  FORMAT_ALIASES,
  type FormatAlias,
  PAGE_KINDS,
  SOURCE_FORMATS,
  TARGET_FORMATS,
} from "../../../transforms/convert/formats.js";
import { PROFILES } from "../../../transforms/training/profile.js";
import { choiceOption, option, switchOption, textOption } from "./option.js";
import { bytesSchema, durationSchema, originSchema, wholeSchema } from "./values.js";

const READ = [...SOURCE_FORMATS, ...DOCUMENT_NAMES] as const;
const WRITTEN = [...TARGET_FORMATS, ...DOCUMENT_NAMES] as const;
const ALIASES = Object.keys(FORMAT_ALIASES) as readonly FormatAlias[];

export const CONVERSION_OPTIONS = {
  from: choiceOption([...READ, ...ALIASES], {
    about: `the format of the input: ${READ.join(", ")}`,
    value: "FORMAT",
    fallback: null,
    fallbackText: "from the file ending",
  }),
  to: choiceOption([...WRITTEN, ...ALIASES], {
    about: `the format of the output: ${WRITTEN.join(", ")}`,
    value: "FORMAT",
    fallback: null,
    fallbackText: "from the file ending of --output",
  }),
  as: choiceOption(PAGE_KINDS, {
    about: "the kind of document that a page becomes: guide or category",
    value: "KIND",
    fallback: null,
    fallbackText: "the kind that the page names, else guide",
  }),
  output: textOption({
    about: "the file to write; an existing file is replaced; an incomplete file is never left",
    short: "-o",
    value: "FILE",
    fallbackText: "stdout",
    flagOnly: true,
  }),
  line: switchOption({
    about: "the text is a line of a step, which has no blocks",
  }),
  ndjson: switchOption({
    about:
      'many texts, a JSON object a line: {"text": …, "context": "line" or "page"} becomes {"text": …, "issues": […]}',
  }),
  origin: option<string | null>({
    about:
      "the site of the text: from html, links to it become links by id; in plain-html, links become full addresses",
    value: "URL",
    schema: originSchema,
    fallback: null,
    fallbackText: "unknown",
  }),
} as const;

/** Checks and imports of training packages. */
export const TRAINING_OPTIONS = {
  strictness: choiceOption(PROFILES, {
    usual: true,
    about: "how strict the check is: strict refuses what standard repairs or warns about; lenient accepts more",
    fallback: "standard",
  }),
  prefer: choiceOption(["cmi5", "scorm"], {
    about: "the manifest to use if a package has both",
    fallback: "cmi5",
  }),
  fixCase: switchOption({
    about: "correct names in the manifest that differ from the file names only in letter case",
  }),
  maxPackageSize: option({
    about: "refuse larger packages; a download stops at this size",
    value: "SIZE",
    schema: bytesSchema,
    fallback: 5 * 2 ** 30,
    fallbackText: "5GiB",
  }),
  maxUnpackedSize: option({
    about: "refuse packages whose files are larger in total",
    value: "SIZE",
    schema: bytesSchema,
    fallback: 8 * 2 ** 30,
    fallbackText: "8GiB",
  }),
  maxPackageFiles: option({
    about: "refuse packages with more entries",
    value: "N",
    schema: wholeSchema(1, 1_000_000),
    fallback: 20_000,
  }),
  csv: switchOption({
    about: "print one line of comma-separated values for each package or address on stdout, and nothing else",
  }),
  reportFolder: textOption({
    about: "also write packages.ndjson, packages.csv and packages.html into this folder",
    value: "DIR",
    flag: "report",
    fallbackText: "none",
    flagOnly: true,
  }),
  normalisedFolder: textOption({
    usual: true,
    about: "the folder for the normalised packages; created if it does not exist",
    short: "-o",
    value: "DIR",
    flag: "output",
    fallbackText: "none; required",
    flagOnly: true,
  }),
  force: switchOption({
    about: "replace existing files of the same names with other contents",
    flagOnly: true,
  }),
  publishModules: switchOption({
    usual: true,
    about: "publish the imported version for learners; by default it stays a draft",
    flag: "publish",
  }),
  importConcurrency: option({
    usual: true,
    about:
      "the number of packages that are imported at the same time; the site unpacks them itself, so use a low number",
    value: "N",
    flag: "concurrency",
    schema: wholeSchema(1, 16),
    fallback: 2,
  }),
  matchModules: choiceOption(["title"], {
    usual: true,
    about: "import a new package as a new version of the site's only module with the same title",
    flag: "match",
    fallback: null,
    fallbackText: "by its place and by lists",
  }),
  startByUrl: switchOption({
    about: "let the site fetch packages from their https addresses, if they need no repair",
    flag: "byUrl",
  }),
  retryUnknown: switchOption({
    about:
      "also import again packages with an unknown result; check the site first, since they may exist twice afterwards",
  }),
  importDeadline: option<number | null>({
    about: "the maximum time for the site to process one package before the import is cancelled",
    value: "TIME",
    flag: "deadline",
    schema: durationSchema,
    fallback: null,
    fallbackText: "2min, and 1min for each 50 MB",
  }),
} as const;

/** The map of old and new addresses, the check of a site, a single call, and the embedded site. */
export const TOOL_OPTIONS = {
  nginx: switchOption({
    about:
      "print a file for nginx to include, which redirects old addresses to the new pages, and nothing else on stdout",
    flagOnly: true,
  }),
  mapSteps: switchOption({
    about: "also list each step, with its address on the guide's page",
    flag: "steps",
    flagOnly: true,
  }),
  probeWrite: switchOption({
    about: "also create one private guide with one step and one upload, read them back, and delete them",
    flagOnly: true,
  }),
  data: textOption({
    about: "the JSON body: the text itself, @FILE, or - for stdin",
    value: "JSON",
    fallbackText: "none",
    flagOnly: true,
  }),
  write: switchOption({
    about: "allow a request that is not a GET: it can change or delete content of the site",
    flagOnly: true,
  }),
  signInAs: choiceOption(["source", "target"], {
    about: "the sign-in to use: GUIDEFERRY_SOURCE_… or GUIDEFERRY_TARGET_…",
    flag: "as",
    fallback: null,
    fallbackText: "the one that is set; required if both are set",
    flagOnly: true,
  }),
  pretty: switchOption({
    about: "indent JSON; on a terminal this is the default, and --no-pretty turns it off",
  }),
  site: textOption({
    about: "a folder with the API answers of the site's content",
    value: "DIR",
    fallbackText: "an empty site",
  }),
  token: textOption({
    about: "the token of the sandbox; it is printed, so do not use a real token",
    value: "T",
    fallbackText: "a random token",
    flagOnly: true,
  }),
  dialect: choiceOption(["specification", "dozuki", "ifixit"], {
    about: "the form of the answers: as in the specification, or as real sites answer",
    fallback: null,
    fallbackText: "from the site's folder, else specification",
  }),
} as const;
