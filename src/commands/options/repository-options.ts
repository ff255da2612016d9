import { z } from "zod";
import { type SnapshotId, snapshotIdSchema } from "../../storage/repository/format.js";
import { option } from "./option.js";
import { choiceSchema, percentSchema, switchSchema, textSchema, wholeSchema, wordsSchema } from "./values.js";

/** One of the options that say what is not removed. */
function keep(what: string) {
  return option<number | null>({
    about: `keep ${what}`,
    value: "N",
    schema: wholeSchema(1, 100_000),
    fallback: null,
    fallbackText: "none for this reason",
    commands: ["backup", "prune"],
  });
}

/** How a repository is looked at, and what of it is kept. */
export const REPOSITORY_OPTIONS = {
  at: option<string | null>({
    about:
      "the snapshot of this name, or the last that began by a date (2026-11-20, its end in UTC) or time, or latest; those that a restore took first go by name alone",
    value: "TIME",
    schema: textSchema,
    fallback: null,
    fallbackText: "the last snapshot",
    commands: ["plan", "restore", "drill", "export", "cat", "blame", "browse", "export-html"],
  }),
  identity: option<readonly string[]>({
    about:
      "the key that opens encrypted archives, a file of age-keygen; GUIDEFERRY_PASSPHRASE opens those with a passphrase",
    value: "FILE",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
    commands: [
      "plan",
      "backup",
      "restore",
      "drill",
      "repair",
      "export",
      "verify",
      "cat",
      "diff",
      "history",
      "blame",
      "browse",
      "export-html",
      "prune",
    ],
  }),
  sample: option<number | null>({
    about:
      "of a repository: read only this share of the contents, or a little more, another one in each run, so that all have their turn",
    value: "P%",
    schema: percentSchema,
    fallback: null,
    fallbackText: "everything is read",
    commands: ["verify"],
  }),
  structure: option({
    about: "of a repository: names, sizes, manifests and lists of entries only",
    schema: switchSchema,
    fallback: false,
    commands: ["verify"],
  }),
  show: option<"item" | "answer" | "text" | "bytes" | null>({
    about:
      "the stored item, the site's own answer, the text that people read, or the bytes of an image, video or document",
    value: "item|answer|text|bytes",
    schema: choiceSchema(["item", "answer", "text", "bytes"]),
    fallback: null,
    fallbackText: "bytes for images, videos and documents, else item",
    commands: ["cat"],
  }),
  text: option({
    about: "show what changed in the texts that people read, as a unified diff",
    schema: switchSchema,
    fallback: false,
    commands: ["diff"],
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
    commands: ["prune"],
  }),
  compact: option({
    about: "write what is kept of old chains anew, so that the rest of them can be removed",
    schema: switchSchema,
    fallback: false,
    commands: ["prune"],
  }),
} as const;
