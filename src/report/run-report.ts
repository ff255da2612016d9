import { z } from "zod";
import { issueSchema } from "../model/issue.js";
import { stageTimeSchema } from "./stage-book.js";
import { timelineSchema } from "./timeline.js";

/** The format of `report.json`; raised by whatever an older reader would misread. */
export const REPORT_FORMAT = 1;

const siteSchema = z.object({
  name: z.string(),
  /** The API root; of documents `documents:<name>`. */
  root: z.string(),
});

const kindRowSchema = z.object({
  kind: z.string(),
  /** Made at the target in this run. */
  created: z.number(),
  updated: z.number(),
  deleted: z.number(),
  /** As they were. */
  left: z.number(),
  failed: z.number(),
  /** Values that could not be carried, of all runs. */
  losses: z.number(),
});

/** Failures that have one cause: the same words but for names and numbers. */
const causeSchema = z.object({
  /** The reason of the first of them. */
  reason: z.string(),
  /** What a person can do about it. */
  remedy: z.string(),
  stages: z.array(z.string()).readonly(),
  count: z.number(),
  /** The first of them. */
  keys: z.array(z.string()).readonly(),
});
export type FailureCause = Readonly<z.infer<typeof causeSchema>>;

const lossSchema = z.object({
  kind: z.string(),
  code: z.string(),
  level: issueSchema.shape.level,
  count: z.number(),
  /** The first of them, with the texts of both sides where there are such; null: there is none there. */
  examples: z
    .array(
      z.object({
        issue: issueSchema,
        title: z.string(),
        atSource: z.string().nullable(),
        atTarget: z.string().nullable(),
      }),
    )
    .readonly(),
});

/** What a run did, for people and programs: `report.json`. Lists are bounded; the ledger has all. */
export const runReportSchema = z.object({
  format: z.literal(REPORT_FORMAT),
  madeBy: z.string(),
  /** ISO time. */
  madeAt: z.string(),
  run: z.object({
    id: z.string(),
    command: z.string(),
    /** ISO times; `ended` null: it is on, or was killed. */
    started: z.string(),
    ended: z.string().nullable(),
    exitCode: z.number().nullable(),
    /** What the exit code means. */
    meaning: z.string(),
  }),
  source: siteSchema.nullable(),
  target: siteSchema.nullable(),
  /** The words that the run ended with. */
  words: z.array(z.string()).readonly(),
  stages: z.array(stageTimeSchema).readonly(),
  /** null: the run was of an older guideferry, or killed before anything was kept. */
  timeline: timelineSchema.nullable(),
  kinds: z.array(kindRowSchema).readonly(),
  failures: z.object({ count: z.number(), causes: z.array(causeSchema).readonly() }),
  losses: z.array(lossSchema).readonly(),
  /** References that could not point home: they stand as links to the old site, or dangle. */
  dangling: z.object({
    count: z.number(),
    first: z.array(z.object({ from: z.string(), title: z.string(), to: z.string() })).readonly(),
  }),
  /** Where each thing was and is, how many there are; report.html lists them. */
  moved: z.number(),
});
export type RunReport = Readonly<z.infer<typeof runReportSchema>>;
