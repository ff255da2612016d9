import { createHash } from "node:crypto";
import { jsonText } from "../../core/util/json-text.js";
import type { LargePlan } from "../plan.js";
import type { PlannedItem } from "../planned-item.js";
import { ITEMS_LINE, lastLine, PLAN_VERSION, type PlanHead } from "./plan-file.js";
import { partsOf } from "./source-state.js";
import { writeTextFile } from "./write-text-file.js";

/** What the plan itself does not know of how it was made. */
export type PlanMaking = Omit<PlanHead, "workspace" | "target" | "counts" | "requests" | "sourceHash" | "targetHash">;

/** Writes a plan into a file of its own, for its owner alone, whole or not at all. Throws ArchiveError when the disk refuses. */
export function writePlanFile(file: string, plan: LargePlan, making: PlanMaking): Promise<void> {
  return writeTextFile(file, linesOf(plan, making), (digest) => `${lastLine(digest)}\n`);
}

/** All but the last one, which is over them. */
function* linesOf(plan: LargePlan, making: PlanMaking): Generator<string> {
  const { job, counts, requests } = plan;
  const { root, siteId } = job.source;
  const head: PlanHead = {
    ...making,
    workspace: { directory: job.workspace.directory, root, siteId },
    target: { root: job.survey.identity.root, siteId: job.survey.identity.siteId },
    counts,
    requests,
    sourceHash: hashOf(sourceLines(plan)),
    targetHash: hashOf(placeLines(plan)),
  };
  const first = jsonText({ guideferryPlan: PLAN_VERSION, head });
  yield `${first.slice(0, -1)},"sources":[\n`;
  yield* separated(sourceLines(plan));
  yield `${ITEMS_LINE}\n`;
  yield* separated(itemLines(plan));
}

function* sourceLines({ job }: LargePlan): Generator<string> {
  for (const { key, digest } of partsOf(job)) yield jsonText([key, digest]);
}

function* placeLines(plan: LargePlan): Generator<string> {
  for (const { places } of plan.items()) for (const place of places) yield jsonText(place);
}

function* itemLines(plan: LargePlan): Generator<string> {
  for (const item of plan.items()) yield jsonText(rowOf(item));
}

/** What is told in other words by the operations stays away. */
function rowOf({ steps: _steps, kinds: _kinds, ...row }: PlannedItem): object {
  return row;
}

function* separated(lines: Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const line of lines) {
    yield isFirst ? line : `,\n${line}`;
    isFirst = false;
  }
  if (!isFirst) yield "\n";
}

function hashOf(lines: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest("hex");
}
