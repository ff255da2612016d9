import type { Size, StepLimits } from "../../../transforms/fit/limits.js";
import type { StepDemand } from "../../../transforms/fit/step-demand.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Bound, LimitQuestions, StepBounds } from "../../core/writing.js";
import { throwIfStopped } from "../control.js";
import type { LoadJob } from "./load-job.js";
import { limitsOf, notedLimits, noteLimits } from "./target-facts.js";

/** Content over the limits of steps that the check assumed. */
export interface OverLimit {
  readonly demand: StepDemand;
  /** At least one guide. */
  readonly keys: readonly Key[];
}

/**
 * Finds the limits that the content needs, since the specification states none. One probe creates a
 * private guide, edits it and deletes it. The answer is kept for this target, so that a later probe
 * is needed only for content beyond it. The titles are recorded first, so that the next load
 * deletes what a killed one left. `--assume-limits` and a load by a plan make no probe.
 * | @returns the limits, where they differ from those of the job
 */
export async function learnStepLimits(
  job: Pick<LoadJob, "ledger" | "target" | "options" | "control" | "stepLimits" | "notes">,
  { demand, keys }: OverLimit,
): Promise<StepLimits | undefined> {
  const { ledger, target, control, options } = job;
  const before = await notedLimits(ledger);
  const [first] = keys;
  if (before.probing !== null && first !== undefined) {
    const left = await target.limits.clear(before.probing, control.abort);
    if (left !== null) return reportLeftover(job, first, left);
    await noteLimits(ledger, { ...before, probing: null });
  }
  const questions = questionsOf(demand, before.bounds);
  if (questions === undefined || options.assumeLimits === true) return undefined;
  if (options.allowed !== undefined) return undecided(job, keys, "a load that applies a plan makes no probe");
  const titles = target.limits.titles();
  await noteLimits(ledger, { bounds: before.bounds, probing: titles });
  const { facts, says, left } = await target.limits.probe({ titles, questions }, control);
  const { trouble = says, ...found } = facts ?? {};
  const bounds = { ...before.bounds, ...found };
  await noteLimits(ledger, { bounds, probing: left === null ? null : titles });
  throwIfStopped(control);
  if (left !== null && first !== undefined) reportLeftover(job, first, left);
  if (questionsOf(demand, bounds) !== undefined && trouble !== null) undecided(job, keys, trouble);
  const limits = limitsOf(bounds);
  return isSame(limits, job.stepLimits) ? undefined : limits;
}

export async function noteUndecided(
  job: Pick<LoadJob, "ledger" | "options" | "notes">,
  { demand, keys }: OverLimit,
): Promise<void> {
  if (job.options.assumeLimits === true) return;
  if (questionsOf(demand, (await notedLimits(job.ledger)).bounds) === undefined) return;
  const message =
    "A probe of the load finds out whether the site takes the original. It creates one private guide and deletes it. This plan assumes the usual limits.";
  for (const key of keys) job.notes.add({ code: "limit-undecided", level: "note", key, path: "", message });
}

function undecided({ notes }: Pick<LoadJob, "notes">, keys: readonly Key[], why: string): undefined {
  const message = `The limits of the site for lines and images of steps are unknown (${why}). The load assumed the usual limits.`;
  const remedy = "Run the same command again to repeat the probe, or with --assume-limits to use the usual limits.";
  for (const key of keys) notes.add({ code: "limit-undecided", level: "note", key, path: "", message, remedy });
  return undefined;
}

function reportLeftover({ notes }: Pick<LoadJob, "notes">, key: Key, left: string): undefined {
  const message = `The probe of the limits of steps could not delete ${left}.`;
  const remedy = "Delete it on the site, or run the load again, which tries to delete it.";
  const issue: Issue = { code: "probe-left", level: "loss", key, path: "", message, remedy };
  notes.add(issue);
  return undefined;
}

function questionsOf({ lineLength, linesPerStep, images = [] }: StepDemand, bounds: StepBounds) {
  const known = limitsOf(bounds);
  const open = images.filter((size) => isOpenImage(size, known.minimumImage, bounds));
  const questions: LimitQuestions = {
    ...(isOpen(lineLength, known.lineLength, bounds.lineLength)
      ? { lineLength: { known: known.lineLength, wanted: lineLength } }
      : {}),
    ...(isOpen(linesPerStep, known.linesPerStep, bounds.linesPerStep)
      ? { linesPerStep: { known: known.linesPerStep, wanted: linesPerStep } }
      : {}),
    ...(open.length === 0 ? {} : { images: { known: known.minimumImage, wanted: open } }),
  };
  return Object.keys(questions).length === 0 ? undefined : questions;
}

function isOpen(wanted: number | undefined, takes: number, bound: Bound | undefined): wanted is number {
  if (wanted === undefined || wanted <= takes) return false;
  return bound === undefined || bound.refuses === null || bound.refuses > takes + 1;
}

function isOpenImage(size: Size, takes: Size, { imageWidth, imageHeight }: StepBounds): boolean {
  if (size.width >= takes.width && size.height >= takes.height) return false;
  return size.width > (imageWidth?.refuses ?? 0) && size.height > (imageHeight?.refuses ?? 0);
}

function isSame(one: StepLimits, other: StepLimits): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
