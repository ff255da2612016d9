import { z } from "zod";
import { keySchema } from "../../core/model/identity.js";
import type { SnapshotId } from "../../storage/repository/format.js";
import { isSnapshotId, PART_BYTES } from "../../storage/repository/names.js";
import { choiceOption, option, switchOption, textOption } from "./option.js";
import { bytesSchema, percentSchema, textSchema, timesSchema, wholeSchema, wordsSchema } from "./values.js";

/** An option that names snapshots to keep. */
function keep(what: string) {
  return option<number | null>({
    usual: true,
    about: `keep ${what}`,
    value: "N",
    schema: wholeSchema(1, 100_000),
    fallback: null,
    fallbackText: "none",
  });
}

/** Backup, export and restore. */
export const BACKUP_OPTIONS = {
  repository: textOption({
    usual: true,
    about: "the folder of the repository of backups; created if it does not exist",
    flag: "to",
    value: "REPO",
    fallbackText: "none; required",
  }),
  name: textOption({
    about: "the beginning of the names of the repository's files",
    value: "NAME",
    fallbackText: "the host of the site",
  }),
  partSize: option({
    about: "divide archives with more unpacked content than this into several, each a zip file of its own",
    value: "SIZE",
    schema: bytesSchema,
    fallback: PART_BYTES,
    fallbackText: "4GB",
  }),
  fullEvery: option({
    about: "make every N-th snapshot a full one, from the archives and without requests to the site",
    value: "N",
    schema: wholeSchema(1, 10_000),
    fallback: 30,
  }),
  publicOnly: switchOption({
    about: "accept a backup without private guides; needed if the account is not an admin",
  }),
  encryptTo: option<readonly string[]>({
    usual: true,
    about:
      "encrypt the archives for these recipients, in the age format; GUIDEFERRY_PASSPHRASE encrypts with a passphrase",
    value: "age1…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "plain zip files",
    repeatable: true,
  }),
  archiveFile: textOption({
    usual: true,
    about: "the zip file to write, or a folder for it; an existing file is replaced; an incomplete file is never left",
    flag: "output",
    short: "-o",
    value: "FILE",
    fallbackText: "none; required",
    flagOnly: true,
  }),
  siteFolder: textOption({
    usual: true,
    about: "the folder to write: new, empty, or an earlier export of the same site, which is updated",
    flag: "output",
    short: "-o",
    value: "DIR",
    fallbackText: "none; required",
    flagOnly: true,
  }),
  snapshots: option<"latest" | "all" | number>({
    usual: true,
    about:
      "how many snapshots to write, up to the one of --at: only the latest, all, or the last N; each with the changes since the one before",
    value: "latest|all|N",
    schema: timesSchema,
    fallback: "latest",
  }),
  snapshotFirst: switchOption({
    about: "do not take a snapshot of the current site before the restore",
    fallback: true,
  }),
} as const;

export const READING_OPTIONS = {
  at: textOption({
    usual: true,
    about:
      "the snapshot of this name, the last one that started by this date (2026-11-20, end of day in UTC) or time, or latest. Snapshots of a restore need their name",
    value: "TIME",
    fallbackText: "the last snapshot",
  }),
  identity: option<readonly string[]>({
    usual: true,
    about:
      "the key of encrypted archives, a file from age-keygen; GUIDEFERRY_PASSPHRASE opens archives with a passphrase",
    value: "FILE",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
  }),
  sample: option<number | null>({
    usual: true,
    about: "for a repository: read only about this share of the contents, a different one in each run",
    value: "P%",
    schema: percentSchema,
    fallback: null,
    fallbackText: "everything is read",
  }),
  structure: switchOption({
    about: "for a repository: check only names, sizes, manifests and lists of entries",
  }),
  show: choiceOption(["item", "answer", "text", "bytes"], {
    about:
      "the stored item (item), the site's answer (answer), the text that people read (text), or the bytes of an image, video or document (bytes)",
    fallback: null,
    fallbackText: "bytes for images, videos and documents, else item",
  }),
  text: switchOption({
    about: "show the changes in the texts that people read, as a unified diff",
  }),
} as const;

export const RETENTION_OPTIONS = {
  keepLast: keep("the last N snapshots"),
  keepDaily: keep("the last snapshot of each of the last N days that have one (UTC)"),
  keepWeekly: keep("the last snapshot of each of the last N weeks that have one (ISO weeks, from Monday)"),
  keepMonthly: keep("the last snapshot of each of the last N months that have one"),
  keepYearly: keep("the last snapshot of each of the last N years that have one"),
  drop: option<SnapshotId | null>({
    usual: true,
    about: "delete only this snapshot, by its full name; refused if others need it; the --keep options are ignored",
    value: "SNAPSHOT",
    schema: z.string().refine(isSnapshotId, {
      message:
        "expected the full name of a snapshot, such as 20261120T030000Z; `guideferry snapshots REPO` lists the names",
    }),
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
  }),
  compact: switchOption({
    about: "rewrite the kept parts of old chains, so that the rest of the chains can be deleted",
  }),
} as const;

/** The report that verify writes and checks. */
export const PROOF_OPTIONS = {
  verifyReport: textOption({
    usual: true,
    about:
      "write a report of the compared fields, with a digest for each item and one for the whole report, so that others can check it",
    flag: "report",
    value: "FILE",
    fallbackText: "none",
    flagOnly: true,
  }),
  reportItem: option<string | null>({
    usual: true,
    about: "check only this item of a report, and show its result: guide/12",
    flag: "item",
    value: "KEY",
    schema: textSchema.refine((text) => keySchema.safeParse(text).success, "expected a key such as guide/12"),
    fallback: null,
    fallbackText: "the whole report",
    flagOnly: true,
  }),
} as const;
