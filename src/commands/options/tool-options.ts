import {
  DOCUMENT_NAMES,
  type DocumentFormat,
  FORMAT_ALIASES,
  type FormatAlias,
  PAGE_KINDS,
  type PageKind,
  SOURCE_FORMATS,
  type SourceFormat,
  TARGET_FORMATS,
  type TargetFormat,
} from "../../../transforms/convert/formats.js";
import { PROFILES, type Profile } from "../../../transforms/training/profile.js";
import { option } from "./option.js";
import {
  bytesSchema,
  choiceSchema,
  durationSchema,
  originSchema,
  switchSchema,
  textSchema,
  wholeSchema,
} from "./values.js";

const READ = [...SOURCE_FORMATS, ...DOCUMENT_NAMES] as const;
const WRITTEN = [...TARGET_FORMATS, ...DOCUMENT_NAMES] as const;
const ALIASES = Object.keys(FORMAT_ALIASES) as readonly FormatAlias[];

/** Of commands that stand alone: texts, training packages, one call, the sandbox. */
export const TOOL_OPTIONS = {
  // What a text is converted from, into what, and where it goes.
  from: option<SourceFormat | DocumentFormat | FormatAlias | null>({
    about: `what is read: ${READ.join(", ")}`,
    value: "FORMAT",
    schema: choiceSchema([...READ, ...ALIASES]),
    fallback: null,
    fallbackText: "what the file's ending says",
  }),
  to: option<TargetFormat | DocumentFormat | FormatAlias | null>({
    about: `what is written: ${WRITTEN.join(", ")}`,
    value: "FORMAT",
    schema: choiceSchema([...WRITTEN, ...ALIASES]),
    fallback: null,
    fallbackText: "what the ending of --output says",
  }),
  as: option<PageKind | null>({
    about: "what a page is that becomes a document: guide or category",
    value: "KIND",
    schema: choiceSchema(PAGE_KINDS),
    fallback: null,
    fallbackText: "what the page says, else guide",
  }),
  output: option<string | null>({
    about: "the file to write, whole or not at all; one that is there is replaced",
    short: "-o",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "stdout",
    flagOnly: true,
  }),
  line: option({
    about: "the text is a line of a step, which holds no blocks",
    schema: switchSchema,
    fallback: false,
  }),
  ndjson: option({
    about:
      'many texts, a JSON object a line: {"text": …, "context": "line" or "page"} becomes {"text": …, "issues": […]}',
    schema: switchSchema,
    fallback: false,
  }),
  origin: option<string | null>({
    about: "the site that the text belongs to: links to it become links by id from html, whole ones in plain-html",
    value: "URL",
    schema: originSchema,
    fallback: null,
    fallbackText: "not known",
  }),

  // How training packages are judged, and how they come into a site.
  profile: option<Profile>({
    about:
      "how much a package may have against it: strict refuses what standard repairs or warns of, lenient lets more pass",
    value: "strict|standard|lenient",
    schema: choiceSchema(PROFILES),
    fallback: "standard",
  }),
  prefer: option<"cmi5" | "scorm">({
    about: "which manifest counts where a package has both",
    value: "cmi5|scorm",
    schema: choiceSchema(["cmi5", "scorm"]),
    fallback: "cmi5",
  }),
  fixCase: option({
    about: "write names into the manifest as the files have them, where only the letter case differs",
    schema: switchSchema,
    fallback: false,
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
  csv: option({
    about: "print one line of comma-separated values for each package or address on stdout, and nothing else there",
    schema: switchSchema,
    fallback: false,
  }),
  reportFolder: option<string | null>({
    about: "also write packages.ndjson, packages.csv and packages.html into this folder",
    value: "DIR",
    flag: "report",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
  }),
  normalisedFolder: option<string | null>({
    about: "the folder that normalised packages are written into; made when it is not there",
    short: "-o",
    value: "DIR",
    flag: "output",
    schema: textSchema,
    fallback: null,
    fallbackText: "has to be given",
    flagOnly: true,
  }),
  force: option({
    about: "replace files of the same names that are there and differ",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
  publishModules: option({
    about: "make what was imported the version that learners see; without this it stays a draft",
    flag: "publish",
    schema: switchSchema,
    fallback: false,
  }),
  importConcurrency: option({
    about: "packages at work at the same time; a site unpacks them itself, so few are kind",
    value: "N",
    flag: "concurrency",
    schema: wholeSchema(1, 16),
    fallback: 2,
  }),
  matchModules: option<"title" | null>({
    about: "a package that is new here becomes a new version of the site's one module of the same title",
    value: "title",
    flag: "match",
    schema: choiceSchema(["title"]),
    fallback: null,
    fallbackText: "by where it was found and by lists",
  }),
  startByUrl: option({
    about: "let the site fetch packages from their https addresses by itself, where nothing in them had to be repaired",
    flag: "byUrl",
    schema: switchSchema,
    fallback: false,
  }),
  retryUnknown: option({
    about: "also make anew what nobody can tell the fate of; look at the site first, it may come twice",
    schema: switchSchema,
    fallback: false,
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
  nginx: option({
    about: "print a file that nginx includes, which leads old addresses to the new pages, and nothing else on stdout",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
  mapSteps: option({
    about: "also each step, whose address is its place on the guide's page",
    flag: "steps",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),

  // The check of a site.
  probeWrite: option({
    about: "also make one private guide with one step and one upload, read them back, and delete them",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),

  // A single call to a site.
  data: option<string | null>({
    about: "the body, which is JSON: the text itself, @FILE, or - for stdin",
    value: "JSON",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
  }),
  write: option({
    about: "allow a call that is no GET: it may change or delete things at the site",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
  signInAs: option<"source" | "target" | null>({
    about: "whose sign-in is used: GUIDEFERRY_SOURCE_… or GUIDEFERRY_TARGET_…",
    value: "source|target",
    flag: "as",
    schema: choiceSchema(["source", "target"]),
    fallback: null,
    fallbackText: "the one that is set; has to be given where both are",
    flagOnly: true,
  }),
  pretty: option({
    about: "indent JSON; done on a terminal anyway, unless --no-pretty is given",
    schema: switchSchema,
    fallback: false,
  }),

  // How the embedded site starts.
  site: option<string | null>({
    about: "a folder of API answers to start with",
    value: "DIR",
    schema: textSchema,
    fallback: null,
    fallbackText: "an empty site",
  }),
  port: option({
    about: "the port on this machine; of a run with --ui only",
    value: "N",
    schema: wholeSchema(0, 65_535),
    fallback: 0,
    fallbackText: "a free one",
  }),
  token: option<string | null>({
    about: "the token that the sandbox takes; it is printed, so take none that is used elsewhere",
    value: "T",
    schema: textSchema,
    fallback: null,
    fallbackText: "a random one",
    flagOnly: true,
  }),
  dialect: option<"specification" | "dozuki" | "ifixit" | null>({
    about: "what its answers look like: as the specification's tables, or as those of real sites",
    value: "specification|dozuki|ifixit",
    schema: choiceSchema(["specification", "dozuki", "ifixit"]),
    fallback: null,
    fallbackText: "what the site's folder says, else specification",
  }),
} as const;
