import { ITEM_KINDS } from "../../core/model/key.js";
import { kindColumns } from "../../web/report/kind-columns.js";
import { shellQuote } from "../shell-quote.js";
import { describeCauses, describeLeftOut, indented } from "./describe.js";
import type { Output } from "./output.js";
import { printModuleStatus } from "./print-module-status.js";
import type { StatusFacts, TargetFacts } from "./status-facts.js";
import { clockTime, count } from "./words.js";

/** Tells how far a workspace is. */
export function printStatus(facts: StatusFacts, output: Output): void {
  output.event("status", facts);
  output.say(`Workspace ${facts.workspace}`);
  output.say(
    facts.source === null ? "Source: nothing was read yet" : `Source: ${facts.source.name}, ${facts.source.root}`,
  );
  printRun(facts, output);
  printEarlier(facts.runs.slice(1), output);
  printCounts(facts, output);
  printItems(facts, output);
  for (const target of facts.targets) printTarget(target, facts, output);
  for (const site of facts.modules) printModuleStatus(site, output);
  for (const root of rootsOf(facts)) printFailures(facts, root, output);
}

function printRun({ running, paused, lastRun, lastMinute, secondsLeft }: StatusFacts, output: Output): void {
  if (running !== null) {
    output.say(`Running: ${running.command}, process ${running.pid} on ${running.host} since ${running.since}`);
    if (paused !== null)
      output.say(`Paused since ${paused} in its live view: no new request goes out until it is resumed there.`);
    const left = secondsLeft === null ? "" : `, about ${clockTime(secondsLeft)} left of the run`;
    output.say(
      `In the last minute: ${count(lastMinute.items, "item")} read, ${count(lastMinute.operations, "operation")}${left}`,
    );
    return;
  }
  if (lastRun === null) return;
  output.say(`Last run: ${lastRun.command} ${lastRun.id}, started ${lastRun.started}, ${endOf(lastRun)}`);
  const { stopped } = lastRun;
  if (stopped !== null) output.say(`Why it ended: ${indented(stopped.words)}`);
  if (stopped !== null && stopped.goOn !== null) output.say(`To go on: ${stopped.goOn}`);
  if (lastRun.page !== null) output.say(`Its page: ${lastRun.page}`);
}

/** The table and the words that the run ended with, or how far it came. */
function printCounts({ lastRun, source, targets, workspace }: StatusFacts, output: Output): void {
  if (lastRun === null) return;
  const { planned, counts } = lastRun;
  if (planned !== null) {
    const actions = Object.entries(planned).filter(([, items]) => items > 0);
    const told = actions.map(([action, items]) => `${items} ${PLANNED[action] ?? action}`);
    output.say(`Planned, and not done: ${told.length === 0 ? "nothing" : told.join(", ")}`);
  }
  if (counts === null || counts.kinds.length === 0) return;
  const target = targets[0] === undefined ? null : { ...targets[0], reached: true };
  const columns = kindColumns({ kinds: counts.kinds, run: lastRun, source, target });
  output.say("");
  output.table(
    [`in ${lastRun.command}`, ...columns.map(({ name }) => name)],
    counts.kinds.map((row) => [row.kind, ...columns.map(({ of }) => row[of])]),
  );
  for (const line of describeLeftOut(counts, workspace)) output.say(line);
}

const PLANNED: Readonly<Record<string, string>> = {
  create: "to create",
  change: "to change",
  adopt: "to link to",
  refuse: "refused",
  leave: "to leave as they are",
  delete: "to delete",
  gone: "gone at the source",
};

/** For `report --run`. */
function printEarlier(runs: StatusFacts["runs"], output: Output): void {
  if (runs.length === 0) return;
  const named = runs.map(({ id, command, exitCode }) => `${id} (${command}, ${exitCode ?? "broke off"})`);
  output.say(`Before it: ${named.join(", ")}`);
}

function endOf({ active, ended, exitCode, meaning }: NonNullable<StatusFacts["lastRun"]>): string {
  if (ended === null) return `broke off after ${active}; the same command goes on where it stopped`;
  return `ended ${ended} with ${exitCode}: ${meaning ?? "unknown"}`;
}

function printItems({ items, targets, modules }: StatusFacts, output: Output): void {
  const last = targets[0];
  const head = [
    "",
    "in the workspace",
    "gone at the source",
    "failed",
    ...(last === undefined ? [] : [`at ${last.name}`]),
  ];
  const rows = ITEM_KINDS.filter((kind) => Object.values(items[kind]).some((number) => number > 0)).map((kind) => [
    kind,
    items[kind].present,
    items[kind].gone,
    items[kind].failed,
    ...(last === undefined ? [] : [last.written[kind] ?? 0]),
  ]);
  if (rows.length === 0 && modules.length > 0) return;
  output.say("");
  output.table(head, rows);
}

function printTarget(target: TargetFacts, { workspace }: StatusFacts, output: Output): void {
  const { loss, note, error } = target.issues;
  output.say(`\nTarget ${target.name}, ${target.root}, last used ${target.lastUsed}`);
  if (Object.keys(target.written).length + Object.keys(target.operationsByKind).length === 0)
    output.say("Nothing was written there yet.");
  else
    output.say(
      `Not supported by the service: ${count(loss + error, "value")}; and there ${note === 1 ? "is" : "are"} ${count(note, "note")}.`,
    );
  const { links, items } = target.oldLinks;
  if (links > 0)
    output.say(
      `${count(links, "link")} in ${count(items, "item")} still ${links === 1 ? "leads" : "lead"} to the old site; \`guideferry links ${shellQuote([workspace, target.root])}\` lists them`,
    );
  printUndoable(target, output);
  const rows = Object.entries(target.operationsByKind).map(([kind, { done, begun, failed }]) => [
    kind,
    done,
    begun,
    failed,
  ]);
  const { done, begun, failed } = target.operations;
  if (rows.length > 0)
    output.table(["", "operations done", "begun", "failed"], [...rows, ["all", done, begun, failed]]);
}

/** Runs that are named; `--json` names all. */
const RUNS = 5;

function printUndoable({ undoable }: TargetFacts, output: Output): void {
  if (undoable.length === 0) return;
  const named = undoable
    .slice(0, RUNS)
    .map(({ run, command, things }) => `${run} (${command ?? "?"}, ${count(things, "thing")})`);
  const more = undoable.length > RUNS ? `, and ${undoable.length - RUNS} more` : "";
  output.say(`\`guideferry undo\` can take back: ${named.join(", ")}${more}`);
}

/** Where things failed: first, as null, what `retry` takes up without being told where; then each other target. */
function rootsOf({ failures, targets }: StatusFacts): readonly (string | null)[] {
  const others = failures.map(({ target }) => target).filter((root) => root !== null && root !== targets[0]?.root);
  return [null, ...new Set(others)];
}

function printFailures(facts: StatusFacts, root: string | null, output: Output): void {
  const { workspace, targets } = facts;
  const failures = facts.failures.filter(({ target }) => (target === targets[0]?.root ? null : target) === root);
  if (failures.length === 0) return;
  const command = `guideferry retry ${shellQuote([workspace, ...(root === null ? [] : [root])])}`;
  output.say(`\n${count(failures.length, "failure")}; \`${command}\` takes them up:`);
  for (const line of describeCauses(failures, workspace)) output.say(line);
}
