import type { ExitCode } from "../../errors.js";
import type { Plan, PlannedItem } from "../../pipeline/plan.js";
import { describeCodes } from "./describe.js";
import type { Output } from "./output.js";
import { clockTime, count } from "./words.js";

const WORDS: Readonly<Record<PlannedItem["action"], string>> = {
  create: "create",
  change: "change",
  adopt: "link to",
  refuse: "REFUSE",
  leave: "leave",
};

/**
 * Tells what a load would do, item by item. What stays as it is, the single requests, and what each item loses come with
 * --verbose only: dates and authors are lost by every item, and would bury what a person has to decide.
 */
export function printPlan(plan: Plan, exitCode: ExitCode, output: Output, verbose: boolean): void {
  for (const item of plan.items) {
    output.event("plan", item);
    if (verbose || item.action !== "leave") printItem(item, output, verbose);
  }
  const { create, change, adopt, refuse, leave } = plan.counts;
  const time = plan.seconds === null ? "" : `, about ${clockTime(plan.seconds)} at the given rate`;
  const { target, counts, requests, seconds } = plan;
  output.event("summary", { exitCode, target, counts, requests, seconds });
  output.say(
    `\nAt ${plan.target}: ${create} to create, ${change} to change, ${adopt} to link to, ${refuse} refused, ${leave} to leave as they are.`,
  );
  for (const line of describeLost(plan, verbose)) output.say(line);
  output.say(`${count(plan.requests, "write")}${time}. Nothing was written.`);
}

function printItem(item: PlannedItem, output: Output, verbose: boolean): void {
  const because = item.because === null ? "" : ` (${item.because})`;
  const requests = item.requests === 0 ? "" : `, ${count(item.requests, "write")}`;
  output.say(`${WORDS[item.action].padEnd(8)}${item.key} ${JSON.stringify(item.title)}${because}${requests}`);
  if (verbose) for (const step of item.steps) output.say(`           ${step}`);
  if (!verbose && item.action !== "refuse") return;
  for (const issue of issuesOf(item)) {
    output.say(`           ${issue.level}: ${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`);
  }
}

/** A page that is linked to stays as it is: nothing of ours is lost there. */
function issuesOf({ action, issues }: PlannedItem): PlannedItem["issues"] {
  return action === "adopt" ? [] : issues;
}

function describeLost({ items }: Plan, verbose: boolean): readonly string[] {
  const codes = new Map<string, number>();
  for (const item of items.filter(({ action }) => action === "create" || action === "change")) {
    for (const { code, level } of issuesOf(item)) if (level !== "note") codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  if (codes.size === 0) return [];
  const where = verbose ? "" : " (each with --verbose or --json)";
  return [`What the service can't take${where}: ${describeCodes(Object.fromEntries(codes))}.`];
}

/** Would the load change anything? */
export function hasChanges({ counts }: Plan): boolean {
  return counts.create + counts.change + counts.adopt > 0;
}
