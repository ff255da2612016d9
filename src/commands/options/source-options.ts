import { ITEM_KINDS } from "../../core/model/key.js";
import { DEFAULT_FAILURE_LIMIT } from "../../sync/control.js";
import { option } from "./option.js";
import {
  choiceSchema,
  choicesSchema,
  failureLimitSchema,
  hostsSchema,
  rateSchema,
  shareOfNightsSchema,
  switchSchema,
  textSchema,
  timeSchema,
  wholeSchema,
  wordsSchema,
} from "./values.js";

/** What is read from a site, and how. */
export const SOURCE_OPTIONS = {
  // Where things lie, and how fast and how long sites are talked to.
  workspace: option({
    about: "the folder that holds what was read and what was loaded; made when it is not there",
    value: "DIR",
    schema: textSchema,
    fallback: "./guideferry-workspace",
  }),
  rate: option<number | null>({
    about: "requests a second to each site at most, retries included",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "10/s; no limit on loopback",
  }),
  sourceRate: option<number | null>({
    about: "the same for the source only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
  }),
  targetRate: option<number | null>({
    about: "the same for the target only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
  }),
  mediaRate: option<number | null>({
    about: "the same for media on hosts other than the site",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "50/s; no limit on loopback",
  }),
  allowPrivateMedia: option<readonly string[]>({
    about:
      "fetch media from this host although it is not on the public internet; where the site itself is they are always fetched",
    value: "HOST,…",
    schema: hostsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
  }),
  concurrency: option({
    about: "items at work at the same time",
    value: "N",
    schema: wholeSchema(1, 64),
    fallback: 8,
  }),
  maxFailures: option({
    about: "stop with 8 after so many failures in a row of one cause, a share of all items, or either: 50,20%",
    value: "N|P%",
    schema: failureLimitSchema,
    fallback: DEFAULT_FAILURE_LIMIT,
    fallbackText: "50,20%",
  }),
  insecureHttp: option({
    about: "allow plain http to a site that is not on this machine; the sign-in travels in the clear",
    schema: switchSchema,
    fallback: false,
  }),

  // Which items are taken, and what of them.
  only: option<readonly (typeof ITEM_KINDS)[number][]>({
    about: `only these kinds: ${ITEM_KINDS.join(", ")}`,
    value: "KIND,…",
    schema: choicesSchema(ITEM_KINDS),
    fallback: ITEM_KINDS,
    fallbackText: "all",
  }),
  include: option<readonly string[]>({
    about:
      "only items whose key (guide/12*) or category path (Looms/**) matches; for a comma inside of a title write ?",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "everything",
    repeatable: true,
  }),
  exclude: option<readonly string[]>({
    about: "no items whose key or category path matches",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "nothing",
    repeatable: true,
  }),
  since: option<number | null>({
    about: "only items changed at or after this time: 2026-11-01, 2026-11-01T08:00:00Z, or 7d (7 days ago)",
    value: "TIME",
    schema: timeSchema,
    fallback: null,
    fallbackText: "any time",
  }),
  dependencies: option({
    about: "leave out what the chosen items need but the choice does not name (prerequisites, categories, media …)",
    schema: switchSchema,
    fallback: true,
  }),
  includePrivate: option({
    about: "leave private guides out; without this they are taken when the source's account is an admin",
    schema: switchSchema,
    fallback: true,
  }),
  publish: option({
    about: "guides of documents that do not say whether they are public become so; without this they stay private",
    schema: switchSchema,
    fallback: false,
  }),
  imageDetails: option({
    about: "also read each image's annotations and camera data: one more request an image",
    schema: switchSchema,
    fallback: false,
  }),
  format: option<"json" | "xml" | "xml-only">({
    about: "read guides and categories as XML too, and compare (xml), or as XML alone, with its losses (xml-only)",
    value: "json|xml|xml-only",
    schema: choiceSchema(["json", "xml", "xml-only"]),
    fallback: "json",
  }),
  languages: option<readonly string[]>({
    about: "translations to take besides the site's own language, by language id: de,fr",
    value: "ID,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "all that the site names",
  }),

  // Which answers beside items are taken, and how often what no list shows is read anew.
  records: option<"basic" | "all">({
    about:
      "which other answers are kept: those that a migration needs (basic), or all that the service has (all: quizzes, releases, approvals …)",
    value: "basic|all",
    schema: choiceSchema(["basic", "all"]),
    fallback: "basic",
  }),
  personalData: option({
    about:
      "with all records: also users, completions, view history, work log, quiz sessions, periodic reviews of people",
    schema: switchSchema,
    fallback: false,
  }),
  refresh: option<number | null>({
    about:
      "the share of the site that is read anew each time although nothing seems to have changed: 1/14 takes 14 nights, all is everything",
    value: "1/N|all",
    schema: shareOfNightsSchema,
    fallback: null,
    fallbackText: "`1/14` with all records, else what is older than 30 days",
  }),

  // Which version of the source's content is taken.
  contentVersion: option<"latest" | "released" | "pending">({
    about:
      "which version is read: what people see, what was released last (what never was is left out and named), or the newest edit, approved or not",
    flag: "version",
    value: "latest|released|pending",
    schema: choiceSchema(["latest", "released", "pending"]),
    fallback: "latest",
  }),
} as const;
