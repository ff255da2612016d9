// Generated from the table of options: WRITE_TABLES=1 npx vitest run test/library

/** A transform by its name or its file, with its options. */
export interface ChosenTransform {
  /** One of guideferry's own, or the path of a module: `./mine.mjs`. */
  readonly name: string;
  /** Each transform checks its own. Default: none. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * The options of all functions. Each has the name and the values that it has in a configuration
 * file: a rate is 5 or "5/s". A wrong value rejects with a UsageError.
 */
export interface OptionValues {
  /**
   * The folder for items and state; created if it does not exist. Default:
   * "./guideferry-workspace".
   */
  readonly workspace: string;
  /**
   * At most so many requests per second to each site, retries included. Default: 10/s; no limit on
   * loopback.
   */
  readonly rate: number | string;
  /** The rate for the source only. Default: --rate. */
  readonly sourceRate: number | string;
  /** The rate for the target only. Default: --rate. */
  readonly targetRate: number | string;
  /** The rate for media on other hosts than the site. Default: 50/s; no limit on loopback. */
  readonly mediaRate: number | string;
  /**
   * At most so many bytes per second for media and archives, in all transfers together: 2M, 500k.
   * Default: no limit.
   */
  readonly maxBandwidth: number | string;
  /**
   * Also fetch media from this host, which is not on the public internet; media on the site's own
   * host are always fetched. Default: none.
   */
  readonly allowPrivateMedia: string | readonly string[];
  /** The number of items that are processed at the same time. Default: 8. */
  readonly concurrency: number;
  /**
   * End with 8 after this many failures in a row with one cause, after this share of all items, or
   * either: 50,20%. Default: 50,20%.
   */
  readonly maxFailures: number | string;
  /**
   * End with 8 if more items than this were deleted. backup: of any list since the last backup, or
   * if a list is empty; the snapshot is written and marked. load with --delete-removed: of the
   * loaded items; nothing is written. Default: 10%; one item is always allowed.
   */
  readonly maxDeletions: number | string;
  /**
   * Allow plain http to a site that is not on this machine; the sign-in is sent unencrypted.
   * Default: false.
   */
  readonly insecureHttp: boolean;
  /**
   * After this time, start nothing new, finish what runs, and end with 4; run the same command
   * again to continue. Default: no limit.
   */
  readonly maxDuration: string;
  /** Stop as with --max-duration, at this local time; the earlier one counts. Default: never. */
  readonly stopAt: string;
  /**
   * Undo: the run to undo; report: the run of the report; `guideferry status` shows its id.
   * Default: undo: the last run that wrote and is not undone; report: the last run.
   */
  readonly run: string;
  /** Only these kinds: category, wiki, guide, image, video, document, record. Default: all. */
  readonly only: string | readonly ("category" | "wiki" | "guide" | "image" | "video" | "document" | "record")[];
  /**
   * Only items whose key (guide/12*) or category path (Looms/**) matches; write ? for a comma in a
   * title. Default: everything.
   */
  readonly include: string | readonly string[];
  /** No items whose key or category path matches. Default: nothing. */
  readonly exclude: string | readonly string[];
  /**
   * Only items changed at or after this time: 2026-11-01, 2026-11-01T08:00:00Z, or 7d (7 days
   * ago). Default: any time.
   */
  readonly since: string | Date;
  /**
   * False: leave out items that the chosen items need but that are not chosen (prerequisites,
   * categories, media …). Default: true.
   */
  readonly dependencies: boolean;
  /**
   * False: leave private guides out; by default they are read if the source's account is an admin.
   * Default: true.
   */
  readonly includePrivate: boolean;
  /**
   * Also read each image's annotations and camera data: one more request for each image. Default:
   * false.
   */
  readonly imageDetails: boolean;
  /**
   * Xml: read guides and categories as XML too, and compare; xml-only: read only the XML, with its
   * losses. Default: "json".
   */
  readonly format: "json" | "xml" | "xml-only";
  /**
   * The translations to read, by language id: de,fr; the site's own language is always read.
   * Default: all languages that the site lists.
   */
  readonly languages: string | readonly string[];
  /**
   * The other records to keep: those that a migration needs (basic), or all of the service (all:
   * quizzes, releases, approvals …). Default: "basic".
   */
  readonly records: "basic" | "all";
  /**
   * With all records: also keep users, completions, view history, work log, quiz sessions and
   * periodic reviews. Default: false.
   */
  readonly personalData: boolean;
  /**
   * The share of unchanged items to read again in each run: with 1/14 each item is read once in 14
   * runs, with all in each run. Default: `1/14` with all records, else items read over 30 days
   * ago.
   */
  readonly refresh: string;
  /**
   * The version to read: what readers see (latest), the last release (released; guides without one
   * are left out and named), or the newest edit, approved or not (pending). Default: "latest".
   */
  readonly contentVersion: "latest" | "released" | "pending";
  /**
   * If somebody edited on the target what guideferry wrote: keep the remote edit (skip), overwrite
   * it (update), merge both field by field (merge), or fail the item (fail). Default: "skip".
   */
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  /**
   * If the target has a page with this namespace and title, or with --match a guide: link it
   * unchanged (adopt), overwrite it (update), or fail the item (fail). Default: "adopt".
   */
  readonly onExisting: "adopt" | "update" | "fail";
  /**
   * Title: match a new guide with the target's only guide of the same title, category and type;
   * --on-existing says what to do with it. Default: "none".
   */
  readonly match: "none" | "title";
  /**
   * Load from a new workspace although the target has guides with the same titles, categories and
   * types: they exist twice afterwards. Default: false.
   */
  readonly allowDuplicates: boolean;
  /**
   * A reference to an item that is not loaded becomes a link to the old site (absolute) or its
   * label only (label), or fails the item (fail). Default: "absolute".
   */
  readonly dangling: "absolute" | "label" | "fail";
  /**
   * An item that the target would refuse is left out (refuse), split up (split) or trimmed (trim);
   * each is listed. Default: "refuse".
   */
  readonly fit: "refuse" | "split" | "trim";
  /**
   * Do not probe the target: if its limits for steps are unknown, assume 350 characters a line, 8
   * lines a step and images of 800 x 600 pixels. Default: false.
   */
  readonly assumeLimits: boolean;
  /**
   * With --fit split or trim, an image that is too small for the target's steps is scaled up
   * (enlarge), gets a border (pad), or is left out (drop). Default: "enlarge".
   */
  readonly smallImages: "enlarge" | "pad" | "drop";
  /** If the target is a folder: write one bundle for each category into it. Default: one bundle. */
  readonly split: "category";
  /**
   * Publish the guides of documents that do not say whether they are public; by default these stay
   * private. Default: false.
   */
  readonly publish: boolean;
  /**
   * Delete items on the target that were deleted at the source, if guideferry created them and
   * nobody edited them since; by default they are listed. Default: false.
   */
  readonly deleteRemoved: boolean;
  /**
   * Make a public guide private while it is changed, and publish it again when it is complete.
   * Default: false.
   */
  readonly hideWhileUpdating: boolean;
  /**
   * Post the comments on guides, steps and pages as the account of the load; their authors and
   * dates are lost, and listed. Default: false.
   */
  readonly postComments: boolean;
  /**
   * Change items before the load, one transform after the other; each --transform adds one
   * (transforms/steps). Default: none.
   */
  readonly transforms: string | readonly (string | ChosenTransform)[];
  /**
   * A CSV file that maps users of the source (old) to users of the target (new), by id, unique
   * name or e-mail address; empty new: nobody. Default: equal unique names, then equal e-mail
   * addresses.
   */
  readonly userMap: string;
  /** A CSV file as for --user-map, for teams, by id or name. Default: equal names. */
  readonly teamMap: string;
  /**
   * The items that another workspace loaded into this target, from its `guideferry map --json`:
   * references lead to them, and they are not loaded again. Default: none.
   */
  readonly movedMap: string;
  /** Load guides of one type as guides of another type. Default: unchanged. */
  readonly typeMap: string | Readonly<Record<string, string>>;
  /**
   * Load categories under another title; categories with the same new title become one. Default:
   * unchanged.
   */
  readonly categoryMap: string | Readonly<Record<string, string>>;
  /** Show what would be done, as plan does, and write nothing to the target. Default: false. */
  readonly dryRun: boolean;
  /**
   * End with 12 if any content was lost, also content that the service cannot take. Default:
   * false.
   */
  readonly strict: boolean;
  /** End with 7 if the plan has changes, and with 0 if it has none. Default: false. */
  readonly detailedExitcode: boolean;
  /**
   * What to read back after the load: everything (full), the items that this run wrote and the
   * target's lists (changed), or nothing (none). Default: "changed".
   */
  readonly verify: "full" | "changed" | "none";
  /**
   * Also write the plan into this file, for `guideferry apply`; an existing file is replaced.
   * Default: none.
   */
  readonly planFile: string;
  /**
   * Also write an HTML page that shows each text before and after; an existing file is replaced.
   * Default: none.
   */
  readonly planHtml: string;
  /** Also print each text before and after, line by line. Default: false. */
  readonly planText: boolean;
  /**
   * Write a report of the compared fields, with a digest for each item and one for the whole
   * report, so that others can check it. Default: none.
   */
  readonly verifyReport: string;
  /**
   * The folder of the repository of backups; created if it does not exist. Default: none;
   * required.
   */
  readonly repository: string;
  /** The beginning of the names of the repository's files. Default: the host of the site. */
  readonly name: string;
  /**
   * Divide archives with more unpacked content than this into several, each a zip file of its own.
   * Default: 4GB.
   */
  readonly partSize: number | string;
  /**
   * Make every N-th snapshot a full one, from the archives and without requests to the site.
   * Default: 30.
   */
  readonly fullEvery: number;
  /**
   * Accept a backup without private guides; needed if the account is not an admin. Default: false.
   */
  readonly publicOnly: boolean;
  /**
   * Encrypt the archives for these recipients, in the age format; GUIDEFERRY_PASSPHRASE encrypts
   * with a passphrase. Default: plain zip files.
   */
  readonly encryptTo: string | readonly string[];
  /** False: do not take a snapshot of the current site before the restore. Default: true. */
  readonly snapshotFirst: boolean;
  /**
   * The snapshot of this name, the last one that started by this date (2026-11-20, end of day in
   * UTC) or time, or latest. Snapshots of a restore need their name. Default: the last snapshot.
   */
  readonly at: string;
  /**
   * The key of encrypted archives, a file from age-keygen; GUIDEFERRY_PASSPHRASE opens archives
   * with a passphrase. Default: none.
   */
  readonly identity: string | readonly string[];
  /** Keep the last N snapshots. Default: none. */
  readonly keepLast: number;
  /** Keep the last snapshot of each of the last N days that have one (UTC). Default: none. */
  readonly keepDaily: number;
  /**
   * Keep the last snapshot of each of the last N weeks that have one (ISO weeks, from Monday).
   * Default: none.
   */
  readonly keepWeekly: number;
  /** Keep the last snapshot of each of the last N months that have one. Default: none. */
  readonly keepMonthly: number;
  /** Keep the last snapshot of each of the last N years that have one. Default: none. */
  readonly keepYearly: number;
  /**
   * How strict the check is: strict refuses what standard repairs or warns about; lenient accepts
   * more. Default: "standard".
   */
  readonly strictness: "strict" | "standard" | "lenient";
  /** The manifest to use if a package has both. Default: "cmi5". */
  readonly prefer: "cmi5" | "scorm";
  /**
   * Correct names in the manifest that differ from the file names only in letter case. Default:
   * false.
   */
  readonly fixCase: boolean;
  /** Refuse larger packages; a download stops at this size. Default: 5GiB. */
  readonly maxPackageSize: number | string;
  /** Refuse packages whose files are larger in total. Default: 8GiB. */
  readonly maxUnpackedSize: number | string;
  /** Refuse packages with more entries. Default: 20000. */
  readonly maxPackageFiles: number;
  /** Publish the imported version for learners; by default it stays a draft. Default: false. */
  readonly publishModules: boolean;
  /**
   * The number of packages that are imported at the same time; the site unpacks them itself, so
   * use a low number. Default: 2.
   */
  readonly importConcurrency: number;
  /**
   * Import a new package as a new version of the site's only module with the same title. Default:
   * by its place and by lists.
   */
  readonly matchModules: "title";
  /**
   * Let the site fetch packages from their https addresses, if they need no repair. Default:
   * false.
   */
  readonly startByUrl: boolean;
  /**
   * Also import again packages with an unknown result; check the site first, since they may exist
   * twice afterwards. Default: false.
   */
  readonly retryUnknown: boolean;
  /**
   * The maximum time for the site to process one package before the import is cancelled. Default:
   * 2min, and 1min for each 50 MB.
   */
  readonly importDeadline: string;
}

/** The names of the options that each command has as a function. */
// biome-ignore format: one name a line is too long
export const OPTION_NAMES = {
  migrate: [
    "targetRate", "onConflict", "onExisting", "dangling", "fit", "smallImages", "userMap",
    "teamMap", "match", "postComments", "transforms", "typeMap", "categoryMap", "allowDuplicates",
    "assumeLimits", "deleteRemoved", "hideWhileUpdating", "movedMap", "maxDeletions",
    "sourceRate", "mediaRate", "allowPrivateMedia", "workspace", "imageDetails", "format",
    "languages", "includePrivate", "publish", "contentVersion", "only", "include", "exclude",
    "since", "dependencies", "rate", "insecureHttp", "maxBandwidth", "concurrency", "maxFailures",
    "maxDuration", "stopAt", "split", "strict", "verify"
  ],
  plan: [
    "targetRate", "onConflict", "onExisting", "dangling", "fit", "smallImages", "userMap",
    "teamMap", "match", "postComments", "transforms", "typeMap", "categoryMap", "allowDuplicates",
    "assumeLimits", "deleteRemoved", "hideWhileUpdating", "movedMap", "maxDeletions",
    "sourceRate", "mediaRate", "allowPrivateMedia", "workspace", "imageDetails", "format",
    "languages", "includePrivate", "publish", "contentVersion", "only", "include", "exclude",
    "since", "dependencies", "rate", "insecureHttp", "maxBandwidth", "concurrency", "maxFailures",
    "maxDuration", "stopAt", "split", "detailedExitcode", "planFile", "planHtml", "planText"
  ],
  extract: [
    "sourceRate", "mediaRate", "allowPrivateMedia", "workspace", "imageDetails", "format",
    "languages", "includePrivate", "publish", "contentVersion", "only", "include", "exclude",
    "since", "dependencies", "rate", "insecureHttp", "maxBandwidth", "concurrency", "maxFailures",
    "maxDuration", "stopAt", "records", "personalData", "refresh"
  ],
  load: [
    "targetRate", "onConflict", "onExisting", "dangling", "fit", "smallImages", "userMap",
    "teamMap", "match", "postComments", "transforms", "typeMap", "categoryMap", "allowDuplicates",
    "assumeLimits", "deleteRemoved", "hideWhileUpdating", "movedMap", "maxDeletions", "only",
    "include", "exclude", "since", "dependencies", "rate", "insecureHttp", "maxBandwidth",
    "concurrency", "maxFailures", "maxDuration", "stopAt", "split", "strict"
  ],
  verify: [
    "targetRate", "onConflict", "onExisting", "dangling", "fit", "smallImages", "userMap",
    "teamMap", "match", "postComments", "transforms", "typeMap", "categoryMap", "sourceRate",
    "mediaRate", "allowPrivateMedia", "workspace", "imageDetails", "format", "languages",
    "includePrivate", "publish", "contentVersion", "only", "include", "exclude", "since",
    "dependencies", "rate", "insecureHttp", "maxBandwidth", "concurrency", "maxFailures",
    "maxDuration", "stopAt", "split", "verifyReport"
  ],
  undo: [
    "rate", "insecureHttp", "maxBandwidth", "concurrency", "maxFailures", "maxDuration", "stopAt",
    "targetRate", "dryRun", "run"
  ],
  backup: [
    "sourceRate", "mediaRate", "allowPrivateMedia", "workspace", "imageDetails", "format",
    "languages", "rate", "insecureHttp", "maxBandwidth", "concurrency", "maxFailures",
    "maxDuration", "stopAt", "keepLast", "keepDaily", "keepWeekly", "keepMonthly", "keepYearly",
    "personalData", "refresh", "repository", "name", "partSize", "fullEvery", "maxDeletions",
    "publicOnly", "encryptTo", "identity"
  ],
  restore: [
    "targetRate", "onConflict", "onExisting", "dangling", "fit", "smallImages", "userMap",
    "teamMap", "only", "include", "exclude", "since", "dependencies", "rate", "insecureHttp",
    "maxBandwidth", "concurrency", "maxFailures", "maxDuration", "stopAt", "at", "identity",
    "workspace", "allowDuplicates", "assumeLimits", "strict", "encryptTo", "snapshotFirst"
  ],
  "import-training": [
    "maxDuration", "stopAt", "rate", "insecureHttp", "maxBandwidth", "strictness", "prefer",
    "fixCase", "maxPackageSize", "maxUnpackedSize", "maxPackageFiles", "workspace", "maxFailures",
    "allowDuplicates", "dryRun", "publishModules", "importConcurrency", "matchModules",
    "startByUrl", "retryUnknown", "importDeadline"
  ],
} as const satisfies Readonly<Record<string, readonly (keyof OptionValues)[]>>;
