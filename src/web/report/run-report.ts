import { z } from "zod";
import { issueSchema } from "../../core/model/issue.js";
import { parseJson } from "../../core/util/json.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { readIfThere, timelineSchema } from "./course.js";
import { stageTimeSchema } from "./stages.js";

/** The summary of a stopped run. */
const stoppedSchema = z.object({
  words: z.string(),
  /** The command line that resumes the run; null: none does. */
  goOn: z.string().nullable(),
});
export type Stopped = Readonly<z.infer<typeof stoppedSchema>>;

/** The one thing to do after a run. */
const nextStepSchema = z.object({
  words: z.string(),
  /** A whole command line; null: the words say what to do, or nothing is open. */
  command: z.string().nullable(),
});
export type NextStep = Readonly<z.infer<typeof nextStepSchema>>;

/** null: the run kept none. */
export function nextStepIn({ summary }: Pick<Run, "summary">): NextStep | null {
  const { success, data } = nextStepSchema.safeParse(summary?.["next"]);
  return success ? data : null;
}

/** null: it was not stopped, or left no reason. */
export function stoppedIn({ summary }: Run): Stopped | null {
  const { success, data } = stoppedSchema.safeParse(summary?.["stopped"]);
  return success ? data : null;
}

/** The format of `report.json`; raised for changes that older readers would misread. */
export const REPORT_FORMAT = 1;

const siteSchema = z.object({
  name: z.string(),
  /** The API root; of documents `documents:<name>`. */
  root: z.string(),
});

const count = z.number().default(0);

export const kindRowSchema = z.object({
  kind: z.string(),
  /** Read from the source in this run, whatever the outcome. */
  read: count,
  // Each item has one of the following outcomes.
  /** Created on the target in this run; of an undo: recreated. */
  created: count,
  /** Updated on the target in this run; of an undo: restored. */
  updated: count,
  deleted: count,
  /** Unchanged on the target, or in the workspace of a run that only reads. */
  unchanged: count,
  /** Existed on the target before, and adopted (`--on-existing adopt`). */
  linked: count,
  /** Kept: remote edits, or deleted at the source. */
  left: count,
  /** Chosen and not loaded, but an option includes them: the run ends with 3. */
  leftOut: count,
  /** Chosen, but the service can't take them. */
  unsupported: count,
  /** Not chosen, left out on purpose, or needed by nothing that was sent. */
  notSent: count,
  /** Not reached by a stopped run. */
  waiting: count,
  failed: count,
  /** Values that could not be transferred, of all runs; any number for each item. */
  losses: count,
});
export type KindRow = Readonly<z.infer<typeof kindRowSchema>>;

/** Failures with one cause: the reasons differ in names and numbers only. */
const causeSchema = z.object({
  /** The reason of the first one. */
  reason: z.string(),
  remedy: z.string(),
  stages: z.array(z.string()).readonly(),
  count: z.number(),
  /** The first ones. */
  keys: z.array(z.string()).readonly(),
});
export type FailureCause = Readonly<z.infer<typeof causeSchema>>;

/** Items by reason. */
export const causesSchema = z.object({ count: z.number(), causes: z.array(causeSchema).readonly() });
export type Causes = Readonly<z.infer<typeof causesSchema>>;

/** Left-out items by the options that include them. */
export const leftOutSchema = z.object({
  count: z.number(),
  ways: z
    .array(
      causesSchema.extend({
        /** The options that include these, see Issue; null: none do. */
        takenInBy: z.string().nullable(),
        /** The command line that includes them; null: none does, or the run did not finish. */
        command: z.string().nullable(),
      }),
    )
    .readonly(),
  /** The command line with the options of all ways; null: as for one way. */
  command: z.string().nullable().default(null),
});
export type LeftOut = Readonly<z.infer<typeof leftOutSchema>>;

/** Outcomes of the items of a run: the only counts that output, page, JSON and `status` show. */
export const runCountsSchema = z.object({
  kinds: z.array(kindRowSchema).readonly(),
  /** Items linked to existing ones on the target. */
  linked: z
    .object({
      count: z.number(),
      first: z.array(z.object({ key: z.string(), title: z.string(), at: z.string() })).readonly(),
    })
    .default({ count: 0, first: [] }),
  leftOut: leftOutSchema.default({ count: 0, ways: [], command: null }),
  /** Items that the service can't take, by reason. */
  unsupported: causesSchema.default({ count: 0, causes: [] }),
  /** Other absent items without a failure, by reason; of an undo the kept items. */
  notSent: causesSchema,
});
export type RunCounts = Readonly<z.infer<typeof runCountsSchema>>;

/** A line of `outcomes.ndjson`: an item behind the counts of a run. */
export const outcomeRowSchema = z.object({
  result: z.enum(["failed", "left-out", "unsupported", "not-sent", "linked"]),
  /** An item, or the file of a training package. */
  key: z.string(),
  stage: z.string(),
  reason: z.string(),
  remedy: z.string(),
  /** The options that include a left-out item, see Issue. */
  takenInBy: z.string().nullable(),
});
export type OutcomeRow = Readonly<z.infer<typeof outcomeRowSchema>>;

const lossSchema = z.object({
  kind: z.string(),
  code: z.string(),
  level: issueSchema.shape.level,
  count: z.number(),
  /** The first ones with the texts of both sides; null: no text there. */
  examples: z
    .array(
      z.object({
        issue: issueSchema,
        title: z.string(),
        atSource: z.string().nullable(),
        atTarget: z.string().nullable(),
        /** Why the texts are missing; null: they are not, or there are none. */
        unread: z.string().nullable().default(null),
      }),
    )
    .readonly(),
});

/** `report.json`: what a run did. Lists are bounded; the ledger has all. */
export const runReportSchema = z.object({
  format: z.literal(REPORT_FORMAT),
  madeBy: z.string(),
  /** ISO time. */
  madeAt: z.string(),
  run: z.object({
    id: z.string(),
    command: z.string(),
    /** ISO times; `active`: the last activity; `ended` null: still running, or killed. */
    started: z.string(),
    active: z.string(),
    ended: z.string().nullable(),
    exitCode: z.number().nullable(),
    meaning: z.string(),
    /** Why it was stopped and how to resume it; null: it was not, or left no reason. */
    stopped: stoppedSchema.nullable(),
  }),
  source: siteSchema.nullable(),
  /** `reached` false: no run of this workspace has written there. */
  target: siteSchema.extend({ reached: z.boolean() }).nullable(),
  words: z.array(z.string()).readonly(),
  /** null: it kept none, because it did not finish or an older version wrote it. */
  next: nextStepSchema.nullable().default(null),
  stages: z.array(stageTimeSchema).readonly(),
  /** null: an older version wrote the run, or it was killed early. */
  timeline: timelineSchema.nullable(),
  ...runCountsSchema.shape,
  failures: causesSchema,
  losses: z.array(lossSchema).readonly(),
  /** Broken links, and links that still lead to the old site. */
  dangling: z.object({
    count: z.number(),
    first: z.array(z.object({ from: z.string(), title: z.string(), to: z.string() })).readonly(),
  }),
  /** Titles of items that the lists above name, and their pages at the source; null: none. */
  titles: z.record(z.string(), z.object({ title: z.string(), address: z.string().nullable() })).default({}),
  /** The number of old and new addresses, which report.html lists. */
  moved: z.number(),
  /** Parts of the workspace that could not be read and are missing here. */
  unread: z.array(z.string()).readonly().default([]),
});
export type RunReport = Readonly<z.infer<typeof runReportSchema>>;

/** The kept report of a finished run; null: none that is complete and of this version. */
export function keptReport(file: string): RunReport | null {
  const kept = runReportSchema.safeParse(jsonIn(file));
  if (!kept.success || kept.data.run.ended === null || kept.data.unread.length > 0) return null;
  return kept.data;
}

/** undefined: absent or unreadable. */
function jsonIn(file: string): unknown {
  const text = readIfThere(file);
  return text === null ? undefined : parseJson(text);
}
