import type { OptionName, OptionTexts } from "./table.js";

type Options = readonly OptionName[];

/** When a long command stops before its end. */
export const TIME_LIMITS: Options = ["maxDuration", "stopAt"];

/** What tells others of a run that nobody watches; every long command has these. */
export const MONITORING: Options = ["notify", "metrics"];

/** The live page of a long command on a workspace. */
export const LIVE_PAGE: Options = ["ui", "port"];

export const LIVE_PAGE_TEXTS: OptionTexts = { port: { about: "with --ui: the port of the live page" } };

export const LOADING_TEXTS: OptionTexts = {
  ...LIVE_PAGE_TEXTS,
  maxDeletions: {
    about:
      "with --delete-removed: end with 8, before the first write, if more of the loaded items than this were deleted at the source",
  },
};

export const ONE_SITE: Options = ["rate", "insecureHttp"];

export const RUN_AT_SITES: Options = [...ONE_SITE, "concurrency", "maxFailures", ...TIME_LIMITS, ...MONITORING];

export const SELECTION: Options = ["only", "include", "exclude", "since", "dependencies"];

export const SOURCE_SITE: Options = ["sourceRate", "mediaRate", "allowPrivateMedia"];

export const READING: Options = [...SOURCE_SITE, "workspace", "imageDetails", "format", "languages"];

export const READING_ITEMS: Options = [...READING, "includePrivate", "publish", "contentVersion"];

export const WRITING: Options = [
  "targetRate",
  "onConflict",
  "onExisting",
  "dangling",
  "fit",
  "smallImages",
  "userMap",
  "teamMap",
];

export const MIGRATING: Options = [...WRITING, "match", "postComments", "transforms", "typeMap", "categoryMap"];

export const LOADING: Options = [
  ...MIGRATING,
  "allowDuplicates",
  "assumeLimits",
  "deleteRemoved",
  "hideWhileUpdating",
  "movedMap",
  "maxDeletions",
];

export const ONE_SNAPSHOT: Options = ["at", "identity"];

export const RETENTION: Options = ["keepLast", "keepDaily", "keepWeekly", "keepMonthly", "keepYearly"];

export const PACKAGE_CHECK: Options = [
  "profile",
  "prefer",
  "fixCase",
  "maxPackageSize",
  "maxUnpackedSize",
  "maxPackageFiles",
];

/** The options of a command that prints content on stdout. */
export const CONTENT_TEXTS: OptionTexts = {
  json: { about: "print messages as JSON objects, one a line, on stderr; stdout has only the content" },
};
