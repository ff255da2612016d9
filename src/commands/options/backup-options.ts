import { PART_BYTES } from "../../storage/repository/write/plan-parts.js";
import { DEFAULT_DELETION_LIMIT, type DeletionLimit } from "../../backup/night/deletion-brake.js";
import { option } from "./option.js";
import {
  bytesSchema,
  shareOrCountSchema,
  switchSchema,
  textSchema,
  timesSchema,
  wholeSchema,
  wordsSchema,
} from "./values.js";

/** How a site is backed up, and how a snapshot is taken out of a repository. */
export const BACKUP_OPTIONS = {
  repository: option<string | null>({
    about: "the folder of the backups, a repository; made when it is not there",
    flag: "to",
    value: "REPO",
    schema: textSchema,
    fallback: null,
    fallbackText: "none; it has to be named",
    commands: ["backup"],
  }),
  name: option<string | null>({
    about: "what the files of the repository begin with",
    value: "NAME",
    schema: textSchema,
    fallback: null,
    fallbackText: "the host of the site",
    commands: ["backup"],
  }),
  partSize: option({
    about: "archives larger than this (by what they hold, unpacked) are divided into several, each a zip of its own",
    value: "SIZE",
    schema: bytesSchema,
    fallback: PART_BYTES,
    fallbackText: "4GB",
    commands: ["backup"],
  }),
  fullEvery: option({
    about: "make every N-th snapshot a full one, from the archives and without asking the site",
    value: "N",
    schema: wholeSchema(1, 10_000),
    fallback: 30,
    commands: ["backup"],
  }),
  maxDeletions: option<DeletionLimit>({
    about:
      "end with 8 when more than this vanished: of a list since the last backup, or it is empty (the snapshot is written and marked); of what was written at the target (--delete-gone; nothing is written)",
    value: "P%|N",
    schema: shareOrCountSchema,
    fallback: DEFAULT_DELETION_LIMIT,
    fallbackText: "10%; one item may always go",
    commands: ["backup", "migrate", "load", "plan", "retry"],
  }),
  publicOnly: option({
    about: "agree to a backup without private guides; needed where the account is no admin",
    schema: switchSchema,
    fallback: false,
    commands: ["backup"],
  }),
  encryptTo: option<readonly string[]>({
    about:
      "encrypt the archives for these recipients in the format age; GUIDEFERRY_PASSPHRASE encrypts with a passphrase",
    value: "age1…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "plain zip files",
    repeatable: true,
    commands: ["backup", "restore", "repair", "export", "prune"],
  }),
  metrics: option<string | null>({
    about:
      "write numbers for a monitor (Prometheus text format) into this file, however the run ends (a run kept out by another one writes none); one file for each repository",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    commands: ["backup"],
  }),
  archiveFile: option<string | null>({
    about: "the zip file to write, whole or not at all, or a folder for it; a file that is there is replaced",
    flag: "output",
    short: "-o",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "none; it has to be named",
    flagOnly: true,
    commands: ["export"],
  }),
  siteFolder: option<string | null>({
    about:
      "the folder to write: new, empty, or an earlier export of the same site, of which only what changed is written",
    flag: "output",
    short: "-o",
    value: "DIR",
    schema: textSchema,
    fallback: null,
    fallbackText: "none; it has to be named",
    flagOnly: true,
    commands: ["export-html"],
  }),
  times: option<"latest" | "all" | number>({
    about:
      "how many snapshots the site has, up to the one of --at: the latest one alone; all; or the last N, each with what changed since the one before",
    value: "latest|all|N",
    schema: timesSchema,
    fallback: "latest",
    commands: ["export-html"],
  }),
} as const;
