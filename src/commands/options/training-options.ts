import { PROFILES, type Profile } from "../../../transforms/training/profile.js";
import { option } from "./option.js";
import { bytesSchema, choiceSchema, durationSchema, switchSchema, textSchema, wholeSchema } from "./values.js";

/** How training packages are judged, and how they come into a site. */
export const TRAINING_OPTIONS = {
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
} as const;
