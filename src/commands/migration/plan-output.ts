import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { unifiedDiff } from "../../backup/history/diff.js";
import { UsageError } from "../../core/errors.js";
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
import type { PlanFacts } from "../results.js";
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
    call.output.note(`Plan saved to ${file}.`);
  }
  if (planHtml !== null) {
    await writeTextFile(resolve(planHtml), htmlPlan(plan, { madeAt }));
    call.output.note(`HTML plan saved to ${resolve(planHtml)}.`);
  }
}

/** By the bytes of a transform's file, or by the name of a built-in one. */
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
  adopt: "link",
  refuse: "REFUSE",
  leave: "leave",
  delete: "DELETE",
  gone: "deleted",
};

/**
 * Prints what a load would do, item by item. Unchanged items, single requests and the losses of
 * each item come only with --verbose: each item loses dates and authors, which would hide the rest.
 */
export function printPlan(plan: LargePlan, output: Output, settings: Shown): PlanFacts {
  const lost = new Map<string, number>();
  const ways = new Map<string | null, number>();
  let undecided = 0;
  let failing = 0;
  let files = 0;
  const kinds = new Map<string, PlanCounts>();
  for (const shown of plan.shown()) {
    const { item, changes } = shown;
    output.event("plan", settings.planText ? { ...item, changes } : item);
    if (settings.verbose || item.action !== "leave") printItem(plan, shown, output, settings);
    countLost(item, lost);
    countAction(item, kinds);
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
  const rare = [
    ...(counts.delete === 0 ? [] : [`${counts.delete} to delete`]),
    ...(counts.gone === 0 ? [] : [`${counts.gone} deleted at the source and left on the target`]),
  ];
  const all = [`${create} to create`, `${change} to change`, `${adopt} to link`, `${refuse} refused`, ...rare];
  printActions(kinds, output);
  output.say(`\nPlan for ${plan.target}: ${all.join(", ")}, ${leave} to leave unchanged.`, "prose");
  for (const [options, items] of ways)
    output.say(
      options === null
        ? `LEFT OUT: ${count(items, "item")}. No option loads ${items === 1 ? "it" : "them"}; each shows its reason.`
        : `LEFT OUT: ${count(items, "item")}. To load ${items === 1 ? "it" : "them"}: ${options}`,
    );
  for (const line of describeLost(lost, settings.verbose)) output.say(line, "prose");
  if (failing > 0) output.say(`WILL FAIL: ${count(failing, "item")}; each shows its reason.`);
  if (undecided > 0)
    output.say(
      `${count(undecided, "translation")} of guides: during the load, a probe finds out whether the site accepts translations (it creates one private guide and deletes it).`,
    );
  const atMost =
    files > 1
      ? ` at most (${files} are uploads of videos and documents; if the target refuses the first, no other is sent)`
      : "";
  output.say(`${count(plan.requests, "write")}${atMost}${time}. Nothing was written.`, "prose");
  return { target, counts, requests, seconds, uploadsOfFiles: files, leftOut };
}

type PlanCounts = Record<PlannedItem["action"], number>;

/** The order of the columns; `always`: also where all rows have 0. */
const ACTIONS: readonly (readonly [action: PlannedItem["action"], name: string, always?: true])[] = [
  ["create", "create", true],
  ["change", "change", true],
  ["adopt", "link"],
  ["delete", "delete"],
  ["refuse", "refused"],
  ["gone", "deleted at the source"],
  ["leave", "unchanged"],
];

function countAction({ key, action }: PlannedItem, kinds: Map<string, PlanCounts>): void {
  const none: PlanCounts = { create: 0, change: 0, adopt: 0, delete: 0, refuse: 0, gone: 0, leave: 0 };
  const counts = kinds.get(kindOf(key)) ?? none;
  counts[action] += 1;
  kinds.set(kindOf(key), counts);
}

function printActions(kinds: ReadonlyMap<string, PlanCounts>, output: Output): void {
  const rows = [...kinds];
  const sum = (action: PlannedItem["action"]): number => rows.reduce((total, [, counts]) => total + counts[action], 0);
  const columns = ACTIONS.filter(([action, , always]) => always === true || sum(action) > 0);
  if (rows.length === 0) return;
  output.say("");
  output.table(
    ["kind", ...columns.map(([, name]) => name)],
    [
      ...rows.map(([kind, counts]) => [kind, ...columns.map(([action]) => counts[action])]),
      ...(rows.length > 1 ? [["all", ...columns.map(([action]) => sum(action))]] : []),
    ],
  );
}

/** Uploads of kinds that the target may refuse: only its answer to the first one shows it. */
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
      `           edited on the target since guideferry last wrote it: ${item.edited.join(", ")}. ${CONFLICT_WORDS[job.options.onConflict]}`,
    );
  if (verbose) for (const step of item.steps) output.say(`           ${step}`);
  if (planText) for (const change of changes) printChange(change, output);
  const isTold = verbose || item.action === "refuse" || item.action === "gone";
  for (const issue of issuesOf(item).filter(({ code }) => isTold || ALWAYS_TOLD.has(code))) {
    output.say(`           ${issue.level}: ${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`, "prose");
  }
  const options = item.issues.find(isLeftOut)?.takenInBy;
  if (options !== undefined && options !== null) output.say(`           to load it: ${options}`);
}

/** Issues that need an action. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(["deleted-at-target", "existing-adopted", WILL_FAIL]);

/** Line by line, as a diff without its headers. */
function printChange({ part, field, before, after, stays }: TextChange, output: Output): void {
  output.say(`    ${part === "" ? field : `${part}: ${field}`}${stays === undefined ? "" : ` ${STAYS_WORDS[stays]}`}`);
  const lines =
    unifiedDiff({ name: field, from: "", to: "" }, ended(before), ended(after))?.trimEnd().split("\n") ?? [];
  for (const line of lines.slice(2)) output.say(`      ${line}`);
}

function ended(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

/** A linked item stays as it is: nothing is lost there, and only its differences count. */
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
  const where = verbose ? "" : " (--verbose or --json shows each)";
  return [`Values lost${where}: ${describeCodes(Object.fromEntries(codes))}.`];
}

/** Throws UsageError for a wrong file name, before a site is read, which may take hours. */
export async function refusePlanFiles({ planFile, planHtml }: Pick<Settings, "planFile" | "planHtml">): Promise<void> {
  if (planFile !== null && planHtml !== null && resolve(planFile) === resolve(planHtml)) {
    throw new UsageError(
      `--output and --html both name ${resolve(planFile)}: the HTML page would replace the plan. Name two different files.`,
    );
  }
  await refuseFolder("--output", planFile);
  await refuseFolder("--html", planHtml);
}

async function refuseFolder(option: string, file: string | null): Promise<void> {
  if (file === null || !(await isFolder(file))) return;
  throw new UsageError(`${option} names the folder ${resolve(file)}. Name a file.`);
}

/** Any other error of a path is reported when the file is written. */
async function isFolder(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isDirectory() === true;
}
