import { z } from "zod";
import { issueSchema } from "../../core/model/issue.js";
import { parseJson } from "../../core/util/json.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { readIfThere, timelineSchema } from "./course.js";
import { stageTimeSchema } from "./stages.js";

/** Why a run was stopped before its end, as its summary keeps it. */
const stoppedSchema = z.object({
  /** For people. */
  words: z.string(),
  /** The command line that goes on; null: there is none that does. */
  goOn: z.string().nullable(),
});
export type Stopped = Readonly<z.infer<typeof stoppedSchema>>;

/** null: it was not stopped, or broke off without a word. */
export function stoppedIn({ summary }: Run): Stopped | null {
  const { success, data } = stoppedSchema.safeParse(summary?.["stopped"]);
  return success ? data : null;
}

/** The format of `report.json`; raised by whatever an older reader would misread. */
export const REPORT_FORMAT = 1;

const siteSchema = z.object({
  name: z.string(),
  /** The API root; of documents `documents:<name>`. */
  root: z.string(),
});

const count = z.number().default(0);

/** What became of the items of one kind. */
export const kindRowSchema = z.object({
  kind: z.string(),
  /** Read from the source in this run; it says nothing of what became of them. */
  read: count,
  // Each item of the kind is one of the following.
  /** Made at the target in this run; of an undo: brought back. */
  created: count,
  /** Written over at the target in this run; of an undo: put back. */
  updated: count,
  deleted: count,
  /** At the target, or in the workspace of a run that only reads, as an earlier run left them. */
  unchanged: count,
  /** At the target before us, and taken as they stand (`--on-existing adopt`). */
  linked: count,
  /**
   * At the target as somebody else has them (edited there), or there although they are gone at the
   * source.
   */
  left: count,
  /**
   * Chosen, and not at the target as they are now, although options take them in: the run ends with
   * 3.
   */
  leftOut: count,
  /** Chosen, and not at the target, since the service has no way to take them. */
  unsupported: count,
  /** Not at the target: not chosen, left out on purpose, or needed by nothing that was sent. */
  notSent: count,
  /** Not at the target: the run was stopped before it came to them. */
  waiting: count,
  failed: count,
  /**
   * Values of items at the target that could not be carried, of all runs; an item has any number of
   * them.
   */
  losses: count,
});
export type KindRow = Readonly<z.infer<typeof kindRowSchema>>;

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

/** Items by what became of them and why. */
export const causesSchema = z.object({ count: z.number(), causes: z.array(causeSchema).readonly() });
export type Causes = Readonly<z.infer<typeof causesSchema>>;

/** Items that are left out, by what takes them in. */
export const leftOutSchema = z.object({
  /** Each item once. */
  count: z.number(),
  ways: z
    .array(
      causesSchema.extend({
        /** The options that take these in, see Issue; null: none does. */
        takenInBy: z.string().nullable(),
        /**
         * The whole command line that takes them in; null: none does, or the run did not get to its
         * end.
         */
        command: z.string().nullable(),
      }),
    )
    .readonly(),
});
export type LeftOut = Readonly<z.infer<typeof leftOutSchema>>;

/**
 * What became of the items of a run. The words of the run, its page, its JSON and `status` show
 * these counts, and no others.
 */
export const runCountsSchema = z.object({
  kinds: z.array(kindRowSchema).readonly(),
  /** Items that are linked to what stood at the target before; `first`: the first of them. */
  linked: z
    .object({
      count: z.number(),
      first: z.array(z.object({ key: z.string(), title: z.string(), at: z.string() })).readonly(),
    })
    .default({ count: 0, first: [] }),
  leftOut: leftOutSchema.default({ count: 0, ways: [] }),
  /** Items that the service has no way to take, by why. */
  unsupported: causesSchema.default({ count: 0, causes: [] }),
  /**
   * Other items that are not at the target although nothing failed, by why; of an undo what stays
   * as it is.
   */
  notSent: causesSchema,
});
export type RunCounts = Readonly<z.infer<typeof runCountsSchema>>;

const lossSchema = z.object({
  kind: z.string(),
  code: z.string(),
  level: issueSchema.shape.level,
  count: z.number(),
  /**
   * The first of them, with the texts of both sides where there are such; null: there is none
   * there.
   */
  examples: z
    .array(
      z.object({
        issue: issueSchema,
        title: z.string(),
        atSource: z.string().nullable(),
        atTarget: z.string().nullable(),
        /** Why the texts are not here, in words; null: they are, or there are none. */
        unread: z.string().nullable().default(null),
      }),
    )
    .readonly(),
});

/**
 * What a run did, for people and programs: `report.json`. Lists are bounded; the ledger has all.
 */
export const runReportSchema = z.object({
  format: z.literal(REPORT_FORMAT),
  madeBy: z.string(),
  /** ISO time. */
  madeAt: z.string(),
  run: z.object({
    id: z.string(),
    command: z.string(),
    /** ISO times; `active`: of the last sign of life; `ended` null: it is on, or was killed. */
    started: z.string(),
    active: z.string(),
    ended: z.string().nullable(),
    exitCode: z.number().nullable(),
    /** What the exit code means. */
    meaning: z.string(),
    /**
     * Why it was stopped before its end, and the command line that goes on; null: it was not, or
     * broke off.
     */
    stopped: stoppedSchema.nullable(),
  }),
  source: siteSchema.nullable(),
  /** `reached` false: it was named, and no run of this workspace began to write there. */
  target: siteSchema.extend({ reached: z.boolean() }).nullable(),
  /** The words that the run ended with. */
  words: z.array(z.string()).readonly(),
  stages: z.array(stageTimeSchema).readonly(),
  /** null: the run was of an older guideferry, or killed before anything was kept. */
  timeline: timelineSchema.nullable(),
  ...runCountsSchema.shape,
  failures: causesSchema,
  losses: z.array(lossSchema).readonly(),
  /** References that could not point home: they stand as links to the old site, or dangle. */
  dangling: z.object({
    count: z.number(),
    first: z.array(z.object({ from: z.string(), title: z.string(), to: z.string() })).readonly(),
  }),
  /** Where each thing was and is, how many there are; report.html lists them. */
  moved: z.number(),
  /** What of the workspace could not be read, in words: it is absent from this report. */
  unread: z.array(z.string()).readonly().default([]),
});
export type RunReport = Readonly<z.infer<typeof runReportSchema>>;

/**
 * The report of a run that has ended, as it was made then; null: there is none that is whole and of
 * this version, so that it has to be made anew.
 */
export function keptReport(file: string): RunReport | null {
  const kept = runReportSchema.safeParse(jsonIn(file));
  if (!kept.success || kept.data.run.ended === null || kept.data.unread.length > 0) return null;
  return kept.data;
}

/** undefined: there is nothing that can be read. */
function jsonIn(file: string): unknown {
  const text = readIfThere(file);
  return text === null ? undefined : parseJson(text);
}
