import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { onDisk } from "../../storage/archive/disk-error.js";
import { htmlPlan } from "../../web/plan/html-plan.js";
import type { PlanHead } from "../../sync/plan/plan-file.js";
import { writePlanFile } from "../../sync/plan/write-plan-file.js";
import { writeTextFile } from "../../sync/plan/write-text-file.js";
import type { LargePlan } from "../../sync/plan.js";
import { digest } from "../../core/util/digest.js";
import type { Place } from "../location.js";
import type { TransformChoice } from "../options/transform-option.js";
import { choicesOfPlan } from "./choices.js";
import type { Session } from "./session.js";

/** Writes a plan into the files that the options name, and says so. */
export async function keepPlan({ call }: Session, plan: LargePlan, place: Place): Promise<void> {
  const { planFile, planHtml } = call.settings;
  const madeAt = new Date().toISOString();
  if (planFile !== null) {
    const file = resolve(planFile);
    const making = {
      guideferry: call.version,
      madeAt,
      read: "workspace" in place ? null : place,
      choices: choicesOfPlan(call.settings),
      transforms: await transformDigests(call.settings.transforms),
    };
    await writePlanFile(file, plan, making);
    call.output.note(`The plan is in ${file}. To carry it out: guideferry apply ${planFile}`);
  }
  if (planHtml !== null) {
    await writeTextFile(resolve(planHtml), htmlPlan(plan, { madeAt }));
    call.output.note(`The page is ${resolve(planHtml)}.`);
  }
}

/** Of a transform of somebody's own its file counts, of ours the name: the version of guideferry is told apart. */
export async function transformDigests(chosen: readonly TransformChoice[]): Promise<PlanHead["transforms"]> {
  const digests: { name: string; digest: string }[] = [];
  for (const { name, options } of chosen) {
    const isFile = /\.[cm]?js$/.test(name);
    const bytes = isFile ? await onDisk(`reading ${name}`, readFile(name)) : name;
    const content = createHash("sha256").update(bytes).digest("hex");
    digests.push({ name, digest: digest([content, options]) });
  }
  return digests;
}
