import type { ExitCode } from "../../core/errors.js";
import type { BundlePlan, PlannedFile } from "../../documents/plan-bundles.js";
import { describeKept, describeStale } from "./describe-bundles.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

const WORDS: Readonly<Record<PlannedFile["action"], string>> = {
  create: "create",
  change: "replace",
  leave: "leave",
};

const CHANGES: Readonly<Record<PlannedFile["differences"][number]["what"], string>> = {
  missing: "would come in",
  unexpected: "would go out",
  changed: "says something else there",
  bytes: "has other bytes there",
};

/** Tells what a load would write as bundles: each with what it would hold and, with --verbose, what would change in it. */
export function printBundlePlan(plan: BundlePlan, exitCode: ExitCode, output: Output, verbose: boolean): void {
  const { bundles, losses, stale } = plan;
  for (const bundle of bundles) {
    output.event("plan", bundle);
    if (verbose || bundle.action !== "leave") printBundle(bundle, output, verbose);
  }
  const counted = { create: 0, change: 0, leave: 0 };
  for (const { action } of bundles) counted[action] += 1;
  output.event("summary", { exitCode, counts: counted, losses, stale });
  output.say(`\n${counted.create} to create, ${counted.change} to replace, ${counted.leave} to leave as they are.`);
  for (const line of [...describeKept(losses), ...describeStale(stale)]) output.say(line);
  output.say("Nothing was written.");
}

function printBundle(
  { action, file, items, files, mediaFiles, damage, differences }: PlannedFile,
  output: Output,
  all: boolean,
) {
  const changes =
    damage !== null
      ? "; the one that is there is damaged"
      : action === "change"
        ? `; ${count(differences.length, "item")} to change`
        : "";
  output.say(
    `${WORDS[action].padEnd(8)}${file}: ${count(items, "item")}, ${count(files, "file")}, ${mediaFiles} of them media${changes}`,
  );
  if (all) for (const { key, what } of differences) output.say(`           ${key}: ${CHANGES[what]}`);
}
