import { z } from "zod";
import { keySchema } from "../../core/model/identity.js";
import { PART_BYTES, type SnapshotId, snapshotIdSchema } from "../../storage/repository/format.js";
import { DEFAULT_DELETION_LIMIT, type DeletionLimit } from "../../sync/control.js";
import { choiceOption, option, switchOption, textOption } from "./option.js";
import {
  bytesSchema,
  percentSchema,
  shareOrCountSchema,
  textSchema,
  timesSchema,
  wholeSchema,
  wordsSchema,
} from "./values.js";

/** One of the options that say what is not removed. */
function keep(what: string) {
  return option<number | null>({
    about: `keep ${what}`,
    value: "N",
    schema: wholeSchema(1, 100_000),
    fallback: null,
    fallbackText: "none for this reason",
  });
}

/** How repositories of backups are written, kept, read and checked. */
export const BACKUP_OPTIONS = {
  // How a site is backed up, and how a snapshot is taken out of a repository.
  repository: textOption({
    about: "the folder of the backups, a repository; made when it is not there",
    flag: "to",
    value: "REPO",
    fallbackText: "none; it has to be named",
  }),
  name: textOption({
    about: "what the files of the repository begin with",
    value: "NAME",
    fallbackText: "the host of the site",
  }),
  partSize: option({
    about: "archives larger than this (by what they hold, unpacked) are divided into several, each a zip of its own",
    value: "SIZE",
    schema: bytesSchema,
    fallback: PART_BYTES,
    fallbackText: "4GB",
  }),
  fullEvery: option({
    about: "make every N-th snapshot a full one, from the archives and without asking the site",
    value: "N",
    schema: wholeSchema(1, 10_000),
    fallback: 30,
  }),
  maxDeletions: option<DeletionLimit>({
    about:
      "end with 8 when more than this vanished: of a list since the last backup, or it is empty (the snapshot is written and marked); of what was written at the target (--delete-removed; nothing is written)",
    value: "P%|N",
    schema: shareOrCountSchema,
    fallback: DEFAULT_DELETION_LIMIT,
    fallbackText: "10%; one item may always go",
  }),
  publicOnly: switchOption({
    about: "agree to a backup without private guides; needed where the account is no admin",
  }),
  encryptTo: option<readonly string[]>({
    about:
      "encrypt the archives for these recipients in the format age; GUIDEFERRY_PASSPHRASE encrypts with a passphrase",
    value: "age1…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "plain zip files",
    repeatable: true,
  }),
  metrics: textOption({
    about:
      "write numbers for a monitor (Prometheus text format) into this file, however the run ends (a run kept out by another one writes none); one file for each repository",
    value: "FILE",
    fallbackText: "none",
  }),
  archiveFile: textOption({
    about: "the zip file to write, whole or not at all, or a folder for it; a file that is there is replaced",
    flag: "output",
    short: "-o",
    value: "FILE",
    fallbackText: "none; it has to be named",
    flagOnly: true,
  }),
  siteFolder: textOption({
    about:
      "the folder to write: new, empty, or an earlier export of the same site, of which only what changed is written",
    flag: "output",
    short: "-o",
    value: "DIR",
    fallbackText: "none; it has to be named",
    flagOnly: true,
  }),
  snapshots: option<"latest" | "all" | number>({
    about:
      "how many snapshots the site has, up to the one of --at: the latest one alone; all; or the last N, each with what changed since the one before",
    value: "latest|all|N",
    schema: timesSchema,
    fallback: "latest",
  }),

  // How a repository is looked at, and what of it is kept.
  at: textOption({
    about:
      "the snapshot of this name, or the last that began by a date (2026-11-20, its end in UTC) or time, or latest; those that a restore took first go by name alone",
    value: "TIME",
    fallbackText: "the last snapshot",
  }),
  identity: option<readonly string[]>({
    about:
      "the key that opens encrypted archives, a file of age-keygen; GUIDEFERRY_PASSPHRASE opens those with a passphrase",
    value: "FILE",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
  }),
  sample: option<number | null>({
    about:
      "of a repository: read only this share of the contents, or a little more, another one in each run, so that all have their turn",
    value: "P%",
    schema: percentSchema,
    fallback: null,
    fallbackText: "everything is read",
  }),
  structure: switchOption({
    about: "of a repository: names, sizes, manifests and lists of entries only",
  }),
  show: choiceOption(["item", "answer", "text", "bytes"], {
    about:
      "the stored item, the site's own answer, the text that people read, or the bytes of an image, video or document",
    fallback: null,
    fallbackText: "bytes for images, videos and documents, else item",
  }),
  text: switchOption({
    about: "show what changed in the texts that people read, as a unified diff",
  }),
  keepLast: keep("the last N snapshots"),
  keepDaily: keep("the last snapshot of each of the last N days that have one (UTC)"),
  keepWeekly: keep("the last snapshot of each of the last N weeks that have one (ISO weeks, from Monday)"),
  keepMonthly: keep("the last snapshot of each of the last N months that have one"),
  keepYearly: keep("the last snapshot of each of the last N years that have one"),
  drop: option<SnapshotId | null>({
    about:
      "remove this one snapshot, named in full, and no other; refused where others need it. The --keep options don't count then",
    value: "SNAPSHOT",
    schema: z.string().refine((text) => snapshotIdSchema.safeParse(text).success, {
      message:
        "expected the full name of a snapshot, such as 20261120T030000Z; `guideferry snapshots REPO` lists them in full",
    }),
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
  }),
  compact: switchOption({
    about: "write what is kept of old chains anew, so that the rest of them can be removed",
  }),

  // How a snapshot is restored.
  snapshotFirst: switchOption({
    about: "do not take a snapshot of the site as it is now before it is put back to an earlier one",
    fallback: true,
  }),

  // What a comparison leaves behind, and how that is looked at.
  verifyReport: textOption({
    about:
      "write what was compared, field by field, with a digest for each item and one over all, so that others can check it",
    flag: "report",
    value: "FILE",
    fallbackText: "none is written",
    flagOnly: true,
  }),
  reportItem: option<string | null>({
    about: "check this item of a report alone, and show what was found: guide/12",
    flag: "item",
    value: "KEY",
    schema: textSchema.refine((text) => keySchema.safeParse(text).success, "expected a key such as guide/12"),
    fallback: null,
    fallbackText: "the whole report",
    flagOnly: true,
  }),
} as const;
