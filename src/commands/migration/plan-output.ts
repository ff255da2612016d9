import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { unifiedDiff } from "../../backup/history/diff.js";
import { type ExitCode, UsageError } from "../../core/errors.js";
import { isLeftOut } from "../../core/model/issue.js";
import { kindOf } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import { UNDECIDED } from "../../sync/load/translations.js";
import { CONFLICT_WORDS, type ShownItem, STAYS_WORDS, type TextChange, WILL_FAIL } from "../../sync/plan/draft.js";
import type { LargePlan, PlannedItem } from "../../sync/plan/plan.js";
import { type PlanHead, writePlanFile, writeTextFile } from "../../sync/plan/plan-file.js";
import { htmlPlan } from "../../web/plan-page.js";
import type { Place } from "../location.js";
import type { TransformChoice } from "../options/site-options.js";
import type { Settings } from "../options/table.js";
import { describeCodes } from "../output/describe.js";
import type { Output } from "../output/output.js";
import { clockTime, count, quoted } from "../output/words.js";
import { choicesOfPlan } from "../session/choices.js";
import type { Session } from "../session/session.js";

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

/**
 * Of a transform of somebody's own its file counts, of ours the name: the version of guideferry is
 * told apart.
 */
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

const WORDS: Readonly<Record<PlannedItem["action"], string>> = {
  create: "create",
  change: "change",
  adopt: "link to",
  refuse: "REFUSE",
  leave: "leave",
  delete: "DELETE",
  gone: "gone",
};

/**
 * Tells what a load would do, item by item. What stays as it is, the single requests, and what each
 * item loses come with
 * --verbose only: dates and authors are lost by every item, and would bury what a person has to
 * decide.
 */
export function printPlan(plan: LargePlan, exitCode: ExitCode, output: Output, settings: Shown): void {
  const lost = new Map<string, number>();
  const ways = new Map<string | null, number>();
  let undecided = 0;
  let failing = 0;
  let files = 0;
  for (const shown of plan.shown()) {
    const { item, changes } = shown;
    output.event("plan", settings.planText ? { ...item, changes } : item);
    if (settings.verbose || item.action !== "leave") printItem(plan, shown, output, settings);
    countLost(item, lost);
    const way = item.issues.find(isLeftOut)?.takenInBy;
    if (way !== undefined) ways.set(way, (ways.get(way) ?? 0) + 1);
    files += uploadsOfFiles(item);
    undecided += item.issues.some(({ code }) => code === UNDECIDED) ? 1 : 0;
    if (item.issues.some(({ code }) => code === WILL_FAIL)) failing += 1;
  }
  const { create, change, adopt, refuse, leave } = plan.counts;
  const time = plan.seconds === null ? "" : `, about ${clockTime(plan.seconds)} at the given rate`;
  const { target, counts, requests, seconds } = plan;
  const leftOut = [...ways].map(([takenInBy, items]) => ({ takenInBy, count: items }));
  output.event("summary", { exitCode, target, counts, requests, seconds, uploadsOfFiles: files, leftOut });
  const rare = [
    ...(counts.delete === 0 ? [] : [`${counts.delete} to delete`]),
    ...(counts.gone === 0 ? [] : [`${counts.gone} gone at the source and left there`]),
  ];
  const all = [`${create} to create`, `${change} to change`, `${adopt} to link to`, `${refuse} refused`, ...rare];
  output.say(`\nAt ${plan.target}: ${all.join(", ")}, ${leave} to leave as they are.`);
  for (const [options, items] of ways)
    output.say(
      options === null
        ? `LEFT OUT as things are, and no option takes it in: ${count(items, "item")}; the reason stands with each.`
        : `LEFT OUT as things are: ${count(items, "item")}. To take in ${items === 1 ? "it" : "them"}: ${options}`,
    );
  for (const line of describeLost(lost, settings.verbose)) output.say(line);
  if (failing > 0) output.say(`WILL FAIL as things are: ${count(failing, "item")}; the reason stands with each.`);
  if (undecided > 0)
    output.say(
      `${count(undecided, "translation")} of guides: a probe decides when loading whether the site takes any (one private guide, deleted again).`,
    );
  const atMost =
    files > 1
      ? ` at most (of ${files} uploads of videos and documents a target that refuses the first gets no other)`
      : "";
  output.say(`${count(plan.requests, "write")}${atMost}${time}. Nothing was written.`);
}

/**
 * Uploads that only the target's answer to the first of them tells whether it takes: no list and no
 * call says so.
 */
function uploadsOfFiles({ operations }: PlannedItem): number {
  return operations.filter(
    ({ item, requests }) => requests > 0 && (kindOf(item) === "video" || kindOf(item) === "document"),
  ).length;
}

type Shown = Pick<Settings, "verbose" | "planText">;

function printItem(
  { job }: LargePlan,
  { item, changes }: ShownItem,
  output: Output,
  { verbose, planText }: Shown,
): void {
  const because = item.because === null ? "" : ` (${item.because})`;
  const requests = item.requests === 0 ? "" : `, ${count(item.requests, "write")}`;
  output.say(`${WORDS[item.action].padEnd(8)}${item.key} ${quoted(item.title)}${because}${requests}`);
  if (item.edited.length > 0)
    output.say(
      `           edited there since guideferry last wrote it: ${item.edited.join(", ")}. ${CONFLICT_WORDS[job.options.onConflict]}`,
    );
  if (verbose) for (const step of item.steps) output.say(`           ${step}`);
  if (planText) for (const change of changes) printChange(change, output);
  const isTold = verbose || item.action === "refuse" || item.action === "gone";
  for (const issue of issuesOf(item).filter(({ code }) => isTold || ALWAYS_TOLD.has(code))) {
    output.say(`           ${issue.level}: ${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`);
  }
  const options = item.issues.find(isLeftOut)?.takenInBy;
  if (options !== undefined && options !== null) output.say(`           taken in by: ${options}`);
}

/** What somebody has to do something about. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(["deleted-at-target", "existing-adopted", WILL_FAIL]);

/** Line by line, as diff prints it, without its heads. */
function printChange({ part, field, before, after, stays }: TextChange, output: Output): void {
  output.say(`    ${part === "" ? field : `${part}: ${field}`}${stays === undefined ? "" : ` ${STAYS_WORDS[stays]}`}`);
  const lines =
    unifiedDiff({ name: field, from: "", to: "" }, ended(before), ended(after))?.trimEnd().split("\n") ?? [];
  for (const line of lines.slice(2)) output.say(`      ${line}`);
}

function ended(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

/**
 * What is linked to stays as it is: nothing of ours is lost there, and only in what it differs
 * counts.
 */
function issuesOf({ action, issues }: PlannedItem): PlannedItem["issues"] {
  return action === "adopt" ? issues.filter(({ code }) => code === "existing-adopted") : issues;
}

function countLost(item: PlannedItem, codes: Map<string, number>): void {
  if (item.action !== "create" && item.action !== "change") return;
  for (const issue of issuesOf(item)) {
    const { code, level } = issue;
    if (level !== "note" && code !== WILL_FAIL && !isLeftOut(issue)) codes.set(code, (codes.get(code) ?? 0) + 1);
  }
}

function describeLost(codes: ReadonlyMap<string, number>, verbose: boolean): readonly string[] {
  if (codes.size === 0) return [];
  const where = verbose ? "" : " (each with --verbose or --json)";
  return [`Not supported by the service${where}: ${describeCodes(Object.fromEntries(codes))}.`];
}

/**
 * Throws UsageError where a plan or its page can't become the file that is named: found out before
 * a site is read, which may take hours.
 */
export async function refusePlanFiles({ planFile, planHtml }: Pick<Settings, "planFile" | "planHtml">): Promise<void> {
  if (planFile !== null && planHtml !== null && resolve(planFile) === resolve(planHtml)) {
    throw new UsageError(
      `--output and --html both name ${resolve(planFile)}: the page would stand in the place of the plan. Name two files.`,
    );
  }
  await refuseFolder("--output", planFile);
  await refuseFolder("--html", planHtml);
}

async function refuseFolder(option: string, file: string | null): Promise<void> {
  if (file === null || !(await isFolder(file))) return;
  throw new UsageError(`${option} names the folder ${resolve(file)}, and a file is to be written. Name a file.`);
}

/** Whatever else is wrong with a path is told when it is written. */
async function isFolder(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isDirectory() === true;
}
