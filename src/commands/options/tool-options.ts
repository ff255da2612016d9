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

/** Of commands that stand alone: texts, training packages, one call, the sandbox. */
export const TOOL_OPTIONS = {
  // What a text is converted from, into what, and where it goes.
  from: choiceOption([...READ, ...ALIASES], {
    about: `what is read: ${READ.join(", ")}`,
    value: "FORMAT",
    fallback: null,
    fallbackText: "what the file's ending says",
  }),
  to: choiceOption([...WRITTEN, ...ALIASES], {
    about: `what is written: ${WRITTEN.join(", ")}`,
    value: "FORMAT",
    fallback: null,
    fallbackText: "what the ending of --output says",
  }),
  as: choiceOption(PAGE_KINDS, {
    about: "what a page is that becomes a document: guide or category",
    value: "KIND",
    fallback: null,
    fallbackText: "what the page says, else guide",
  }),
  output: textOption({
    about: "the file to write, whole or not at all; one that is there is replaced",
    short: "-o",
    value: "FILE",
    fallbackText: "stdout",
    flagOnly: true,
  }),
  line: switchOption({
    about: "the text is a line of a step, which holds no blocks",
  }),
  ndjson: switchOption({
    about:
      'many texts, a JSON object a line: {"text": …, "context": "line" or "page"} becomes {"text": …, "issues": […]}',
  }),
  origin: option<string | null>({
    about: "the site that the text belongs to: links to it become links by id from html, whole ones in plain-html",
    value: "URL",
    schema: originSchema,
    fallback: null,
    fallbackText: "not known",
  }),

  // How training packages are judged, and how they come into a site.
  profile: choiceOption(PROFILES, {
    about:
      "how much a package may have against it: strict refuses what standard repairs or warns of, lenient lets more pass",
    fallback: "standard",
  }),
  prefer: choiceOption(["cmi5", "scorm"], {
    about: "which manifest counts where a package has both",
    fallback: "cmi5",
  }),
  fixCase: switchOption({
    about: "write names into the manifest as the files have them, where only the letter case differs",
  }),
  maxPackageSize: option({
    about: "refuse packages of more bytes; also where a download ends",
    value: "SIZE",
    schema: bytesSchema,
    fallback: 5 * 2 ** 30,
    fallbackText: "5GiB",
  }),
  maxUnpackedSize: option({
    about: "refuse packages whose files have more bytes together",
    value: "SIZE",
    schema: bytesSchema,
    fallback: 8 * 2 ** 30,
    fallbackText: "8GiB",
  }),
  maxPackageFiles: option({
    about: "refuse packages of more entries",
    value: "N",
    schema: wholeSchema(1, 1_000_000),
    fallback: 20_000,
  }),
  csv: switchOption({
    about: "print one line of comma-separated values for each package or address on stdout, and nothing else there",
  }),
  reportFolder: textOption({
    about: "also write packages.ndjson, packages.csv and packages.html into this folder",
    value: "DIR",
    flag: "report",
    fallbackText: "none",
    flagOnly: true,
  }),
  normalisedFolder: textOption({
    about: "the folder that normalised packages are written into; made when it is not there",
    short: "-o",
    value: "DIR",
    flag: "output",
    fallbackText: "has to be given",
    flagOnly: true,
  }),
  force: switchOption({
    about: "replace files of the same names that are there and differ",
    flagOnly: true,
  }),
  publishModules: switchOption({
    about: "make what was imported the version that learners see; without this it stays a draft",
    flag: "publish",
  }),
  importConcurrency: option({
    about: "packages at work at the same time; a site unpacks them itself, so few are kind",
    value: "N",
    flag: "concurrency",
    schema: wholeSchema(1, 16),
    fallback: 2,
  }),
  matchModules: choiceOption(["title"], {
    about: "a package that is new here becomes a new version of the site's one module of the same title",
    flag: "match",
    fallback: null,
    fallbackText: "by where it was found and by lists",
  }),
  startByUrl: switchOption({
    about: "let the site fetch packages from their https addresses by itself, where nothing in them had to be repaired",
    flag: "byUrl",
  }),
  retryUnknown: switchOption({
    about: "also make anew what nobody can tell the fate of; look at the site first, it may come twice",
  }),
  importDeadline: option<number | null>({
    about: "how long the site may work on one package before it is cancelled there",
    value: "TIME",
    flag: "deadline",
    schema: durationSchema,
    fallback: null,
    fallbackText: "2min, and 1min for each 50 MB",
  }),

  // How a map of old and new addresses is written.
  nginx: switchOption({
    about: "print a file that nginx includes, which leads old addresses to the new pages, and nothing else on stdout",
    flagOnly: true,
  }),
  mapSteps: switchOption({
    about: "also each step, whose address is its place on the guide's page",
    flag: "steps",
    flagOnly: true,
  }),

  // The check of a site.
  probeWrite: switchOption({
    about: "also make one private guide with one step and one upload, read them back, and delete them",
    flagOnly: true,
  }),

  // A single call to a site.
  data: textOption({
    about: "the body, which is JSON: the text itself, @FILE, or - for stdin",
    value: "JSON",
    fallbackText: "none",
    flagOnly: true,
  }),
  write: switchOption({
    about: "allow a call that is no GET: it may change or delete things at the site",
    flagOnly: true,
  }),
  signInAs: choiceOption(["source", "target"], {
    about: "whose sign-in is used: GUIDEFERRY_SOURCE_… or GUIDEFERRY_TARGET_…",
    flag: "as",
    fallback: null,
    fallbackText: "the one that is set; has to be given where both are",
    flagOnly: true,
  }),
  pretty: switchOption({
    about: "indent JSON; done on a terminal anyway, unless --no-pretty is given",
  }),

  // How the embedded site starts.
  site: textOption({
    about: "a folder of API answers to start with",
    value: "DIR",
    fallbackText: "an empty site",
  }),
  port: option({
    about: "the port on this machine; of a run with --ui only",
    value: "N",
    schema: wholeSchema(0, 65_535),
    fallback: 0,
    fallbackText: "a free one",
  }),
  token: textOption({
    about: "the token that the sandbox takes; it is printed, so take none that is used elsewhere",
    value: "T",
    fallbackText: "a random one",
    flagOnly: true,
  }),
  dialect: choiceOption(["specification", "dozuki", "ifixit"], {
    about: "what its answers look like: as the specification's tables, or as those of real sites",
    fallback: null,
    fallbackText: "what the site's folder says, else specification",
  }),
} as const;
