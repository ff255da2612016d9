import type { OptionName } from "./table.js";

type Options = readonly OptionName[];

/** Of a command that may take hours: when it stops although there is more to do. */
export const TIME_LIMITS: Options = ["maxDuration", "stopAt"];

/** Of a command that works on a workspace for so long that somebody may want to look. */
export const LIVE_PAGE: Options = ["ui", "port"];

export const ONE_SITE: Options = ["rate", "insecureHttp"];

export const RUN_AT_SITES: Options = [...ONE_SITE, "concurrency", "maxFailures", ...TIME_LIMITS];

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
