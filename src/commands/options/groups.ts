import type { OptionName } from "./table.js";

type Options = readonly OptionName[];

/** Of a command that may take hours: when it stops although there is more to do. */
export const TIME_LIMITS: Options = ["maxDuration", "stopAt"];

/** Of a command that works on a workspace for so long that somebody may want to look. */
export const LIVE_PAGE: Options = ["ui", "port"];

/** Of a command that asks a site. */
export const ONE_SITE: Options = ["rate", "insecureHttp"];

/** Of a run on items at sites. */
export const RUN_AT_SITES: Options = [...ONE_SITE, "concurrency", "maxFailures", ...TIME_LIMITS];

/** Which items are taken. */
export const SELECTION: Options = ["only", "include", "exclude", "since", "dependencies"];

/** Of a run that asks a source. */
export const SOURCE_SITE: Options = ["sourceRate", "mediaRate", "allowPrivateMedia"];

/** How much of a source is read. */
export const READING: Options = [...SOURCE_SITE, "workspace", "imageDetails", "format", "languages"];

/** How the items of a source are read into a workspace. */
export const READING_ITEMS: Options = [...READING, "includePrivate", "publish", "contentVersion"];

/** How items are written to a target. */
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

/** The same of a migration, where types and categories may change. */
export const MIGRATING: Options = [...WRITING, "match", "postComments", "transforms", "typeMap", "categoryMap"];

/** Of a migration that writes, or says what it would write. */
export const LOADING: Options = [
  ...MIGRATING,
  "allowDuplicates",
  "assumeLimits",
  "deleteGone",
  "hideWhileUpdating",
  "movedMap",
  "maxDeletions",
];

/** Of a command that looks at one snapshot. */
export const ONE_SNAPSHOT: Options = ["at", "identity"];

/** Which snapshots are kept. */
export const RETENTION: Options = ["keepLast", "keepDaily", "keepWeekly", "keepMonthly", "keepYearly"];

/** How training packages are judged. */
export const PACKAGE_CHECK: Options = [
  "profile",
  "prefer",
  "fixCase",
  "maxPackageSize",
  "maxUnpackedSize",
  "maxPackageFiles",
];
