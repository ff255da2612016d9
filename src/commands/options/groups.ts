import type { OptionName, OptionTexts } from "./table.js";

type Options = readonly OptionName[];

/** When a long command stops before its end. */
export const TIME_LIMITS = ["maxDuration", "stopAt"] as const satisfies Options;

/** What tells others of a run that nobody watches; every long command has these. */
export const MONITORING = ["notify", "metrics"] as const satisfies Options;

/** The live page of a long command on a workspace. */
export const LIVE_PAGE = ["ui", "port"] as const satisfies Options;

export const LIVE_PAGE_TEXTS: OptionTexts = { port: { about: "with --ui: the port of the live page" } };

export const LOADING_TEXTS: OptionTexts = {
  ...LIVE_PAGE_TEXTS,
  maxDeletions: {
    about:
      "with --delete-removed: end with 8, before the first write, if more of the loaded items than this were deleted at the source",
  },
};

/** How fast files are transferred; every long command that transfers some has it. */
export const TRANSFERS = ["maxBandwidth"] as const satisfies Options;

export const ONE_SITE = ["rate", "insecureHttp"] as const satisfies Options;

export const RUN_AT_SITES = [
  ...ONE_SITE,
  ...TRANSFERS,
  "concurrency",
  "maxFailures",
  ...TIME_LIMITS,
  ...MONITORING,
] as const satisfies Options;

export const SELECTION = ["only", "include", "exclude", "since", "dependencies"] as const satisfies Options;

export const SOURCE_SITE = ["sourceRate", "mediaRate", "allowPrivateMedia"] as const satisfies Options;

export const READING = [...SOURCE_SITE, "workspace", "imageDetails", "format", "languages"] as const satisfies Options;

export const READING_ITEMS = [...READING, "includePrivate", "publish", "contentVersion"] as const satisfies Options;

export const WRITING = [
  "targetRate",
  "onConflict",
  "onExisting",
  "dangling",
  "fit",
  "smallImages",
  "userMap",
  "teamMap",
] as const satisfies Options;

export const MIGRATING = [
  ...WRITING,
  "match",
  "postComments",
  "transforms",
  "typeMap",
  "categoryMap",
] as const satisfies Options;

export const LOADING = [
  ...MIGRATING,
  "allowDuplicates",
  "assumeLimits",
  "deleteRemoved",
  "hideWhileUpdating",
  "movedMap",
  "maxDeletions",
] as const satisfies Options;

export const ONE_SNAPSHOT = ["at", "identity"] as const satisfies Options;

export const RETENTION = [
  "keepLast",
  "keepDaily",
  "keepWeekly",
  "keepMonthly",
  "keepYearly",
] as const satisfies Options;

export const PACKAGE_CHECK = [
  "strictness",
  "prefer",
  "fixCase",
  "maxPackageSize",
  "maxUnpackedSize",
  "maxPackageFiles",
] as const satisfies Options;

/** The options of a command that prints content on stdout. */
export const CONTENT_TEXTS: OptionTexts = {
  json: { about: "print messages as JSON objects, one a line, on stderr; stdout has only the content" },
};
