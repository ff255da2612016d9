import { ITEM_KINDS } from "../../model/key.js";
import { indented } from "./describe.js";
import type { Output } from "./output.js";
import type { StatusFacts, TargetFacts } from "./status-facts.js";
import { clockTime, count } from "./words.js";

/** Failures that are named one by one; `--json` names all. */
const NAMED = 20;

/** Tells how far a workspace is. */
export function printStatus(facts: StatusFacts, output: Output): void {
  output.event("status", facts);
  output.say(`Workspace ${facts.workspace}`);
  output.say(
    facts.source === null ? "Source: nothing was read yet" : `Source: ${facts.source.name}, ${facts.source.root}`,
  );
  printRun(facts, output);
  output.say("");
  printItems(facts, output);
  for (const target of facts.targets) printTarget(target, output);
  printFailures(facts, output);
}

function printRun({ running, lastRun, lastMinute, secondsLeft }: StatusFacts, output: Output): void {
  if (running !== null) {
    output.say(`Running: ${running.command}, process ${running.pid} on ${running.host} since ${running.since}`);
    const left = secondsLeft === null ? "" : `, about ${clockTime(secondsLeft)} left`;
    output.say(
      `In the last minute: ${count(lastMinute.items, "item")} read, ${count(lastMinute.operations, "write")}${left}`,
    );
    return;
  }
  if (lastRun === null) return;
  const end =
    lastRun.ended === null ? `broke off after ${lastRun.active}` : `ended ${lastRun.ended} with ${lastRun.exitCode}`;
  output.say(`Last run: ${lastRun.command}, started ${lastRun.started}, ${end}`);
}

function printItems({ items, targets }: StatusFacts, output: Output): void {
  const last = targets[0];
  const head = ["", "in the workspace", "gone at the source", ...(last === undefined ? [] : [`at ${last.name}`])];
  const rows = ITEM_KINDS.filter((kind) => items[kind].present + items[kind].gone > 0).map((kind) => [
    kind,
    items[kind].present,
    items[kind].gone,
    ...(last === undefined ? [] : [last.written[kind] ?? 0]),
  ]);
  output.table(head, rows);
}

function printTarget(target: TargetFacts, output: Output): void {
  const { done, begun, failed } = target.operations;
  output.say(`\nTarget ${target.name}, ${target.root}, last used ${target.lastUsed}`);
  output.say(`  ${count(done, "write")} done, ${begun} begun, ${failed} failed`);
  const { loss, note, error } = target.issues;
  output.say(`  report: ${count(loss, "loss")}, ${count(error, "error")}, ${count(note, "note")}`);
}

function printFailures({ failures, workspace }: StatusFacts, output: Output): void {
  if (failures.length === 0) return;
  output.say(`\n${count(failures.length, "failure")}; \`guideferry retry ${workspace}\` takes them up:`);
  for (const failure of failures.slice(0, NAMED))
    output.say(`  ${failure.key} (${failure.stage}): ${indented(failure.reason)}`);
  if (failures.length > NAMED) output.say(`  … and ${failures.length - NAMED} more, all of them with --json`);
}
