import type { Source } from "../../core/contracts.js";
import { MovedError, UsageError } from "../../core/errors.js";
import { check } from "../check.js";
import { contextOf } from "../context.js";
import { type LoadSummary, load } from "../load.js";
import { type LoadJob, loadJobOf } from "../load-job.js";
import { largePlan } from "../plan.js";
import type { PlanParts } from "../planned-item.js";
import { settle } from "../settle.js";
import { differencesOf } from "./differences-of.js";
import { movedAtTarget } from "./moved-at-target.js";
import type { PlanHead } from "./plan-file.js";
import { PlanNotes } from "./plan-notes.js";
import type { PlanFile } from "./read-plan-file.js";
import { type Moved, movedAtSource } from "./source-state.js";

/** What a plan is carried out with; the options must be those that it was made with. */
export interface ApplyParts extends PlanParts {
  readonly file: PlanFile;
  readonly reader: Source;
}

/** Under this name the ledger keeps which plan was begun last: a stopped run of it goes on. */
const BEGUN = "applied plan";
/** Items that a message names. */
const NAMED = 10;

/**
 * Carries out a plan, and nothing else. Throws MovedError, before the first write, when the source or the target moved since it was made, or when
 * it would be another one today; UsageError when it belongs to another workspace or site. After a stop it goes on: what it did itself is no
 * movement.
 */
export async function applyPlan(parts: ApplyParts): Promise<LoadSummary> {
  const { file } = parts;
  const job = await loadJobOf(parts);
  refuseStranger(job, file.head);
  const notes = await PlanNotes.read(file, job.workspace.scratch);
  const atSource = movedAtSource(job, (key) => notes.digestOf(key), notes.parts());
  await refuse(file, "The source moved since the plan was made", atSource);
  const isBegun = (await job.ledger.recall(BEGUN)) === file.digest;
  const found = isBegun ? await settleCreates(job) : 0;
  const plan = await largePlan(parts);
  await refuse(file, "The target moved since the plan was made", movedAtTarget({ job, plan, notes, isBegun }));
  await refuse(file, "The plan would be another one today", differencesOf({ job, plan, notes, isBegun }));
  await job.ledger.remember(BEGUN, file.digest);
  const options = { ...parts.options, allowed: notes.holds.bind(notes) };
  const summary = await load({ ...parts, options });
  return { ...summary, found: summary.found + found };
}

/** What a stopped run left without an answer is known then, or it would look like somebody's. Gives the number of creates that were found done. */
async function settleCreates(job: LoadJob): Promise<number> {
  const checked = await check(job);
  return (await settle({ job, context: contextOf(job, checked.map) })).found;
}

function refuseStranger({ workspace, source, survey }: LoadJob, { workspace: planned, target }: PlanHead): void {
  if (planned.root !== source.root || !isSameId(planned.siteId, source.siteId)) {
    throw new UsageError(
      `The plan was made for the content of ${planned.root}, and ${workspace.directory} holds that of ${source.root}. Nothing was written.`,
    );
  }
  const { root, siteId } = survey.identity;
  if (target.root === root && isSameId(target.siteId, siteId)) return;
  throw new UsageError(
    `The plan was made for ${target.root} (site ${target.siteId ?? "unknown"}), and this is ${root} (site ${siteId ?? "unknown"}). Nothing was written.`,
  );
}

/** An empty site does not tell its id. */
function isSameId(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

async function refuse({ path }: PlanFile, what: string, moved: AsyncIterable<Moved> | Iterable<Moved>): Promise<void> {
  const named: string[] = [];
  let count = 0;
  for await (const { key, title, how } of moved) {
    count += 1;
    if (named.length < NAMED) named.push(`  ${key} ${JSON.stringify(title)} ${how}`);
  }
  if (count === 0) return;
  const more = count > NAMED ? [`  and ${count - NAMED} more`] : [];
  throw new MovedError(
    `${what}, so nothing of ${path} was carried out in this run:\n${[...named, ...more].join("\n")}\nMake a new plan and look at it: guideferry plan … -o ${path}`,
  );
}
