import type { Plan, PlannedItem } from "../../pipeline/plan.js";
import type { Output } from "./output.js";
import { clockTime, count } from "./words.js";

const WORDS: Readonly<Record<PlannedItem["action"], string>> = {
  create: "create",
  change: "change",
  adopt: "link to",
  refuse: "REFUSE",
  leave: "leave",
};

/** Tells what a load would do, item by item; what stays as it is only with --verbose. */
export function printPlan(plan: Plan, output: Output, verbose: boolean): void {
  for (const item of plan.items) {
    output.event("plan", item);
    if (verbose || item.action !== "leave") printItem(item, output, verbose);
  }
  const { create, change, adopt, refuse, leave } = plan.counts;
  const time = plan.seconds === null ? "" : `, ${clockTime(plan.seconds)} at the given rate`;
  output.event("summary", { target: plan.target, counts: plan.counts, requests: plan.requests, seconds: plan.seconds });
  output.say(
    `\nAt ${plan.target}: ${create} to create, ${change} to change, ${adopt} to link to, ${refuse} refused, ${leave} to leave as they are.`,
  );
  output.say(`${count(plan.requests, "write")}${time}. Nothing was written.`);
}

function printItem(item: PlannedItem, output: Output, verbose: boolean): void {
  const because = item.because === null ? "" : ` (${item.because})`;
  const requests = item.requests === 0 ? "" : `, ${count(item.requests, "write")}`;
  output.say(`${WORDS[item.action].padEnd(8)}${item.key} ${JSON.stringify(item.title)}${because}${requests}`);
  if (verbose) for (const step of item.steps) output.say(`           ${step}`);
  for (const issue of item.issues.filter(({ level }) => verbose || level !== "note")) {
    output.say(`           ${issue.level}: ${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`);
  }
}

/** Would the load change anything? */
export function hasChanges({ counts }: Plan): boolean {
  return counts.create + counts.change + counts.adopt > 0;
}
