import { plain, plainTitle } from "../../training/report/plain.js";
import { JOURNEY, type PackageState } from "../../core/training.js";
import type { ModuleStatus } from "../../storage/workspace/module-status.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** Packages that are named one by one; `--json` names all. */
const NAMED = 20;

/** What a state means to a person, in the order in which they are told. */
const WORDS: readonly (readonly [PackageState, string])[] = [
  ["published", "published"],
  ["complete", "imported, as drafts"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["unknown", "of unknown fate"],
];
const ON_THE_WAY: readonly PackageState[] = JOURNEY.filter((state) => !WORDS.some(([known]) => known === state));

/** Tells how far the training packages are that went into one site. */
export function printModuleStatus({ name, root, states, stuck }: ModuleStatus, output: Output): void {
  const under = ON_THE_WAY.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  const all = Object.values(states).reduce((sum, number) => sum + number, 0);
  const parts = WORDS.map(([state, words]) => [states[state] ?? 0, words] as const);
  const told = [...parts, [under, "on their way; the same import-training command goes on"] as const]
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`);
  output.say(`\n${count(all, "training package")} for ${name}, ${root}: ${told.join(", ")}`);
  for (const { source, title, state, reason } of stuck.slice(0, NAMED))
    output.say(`  ${plain(source)} ${JSON.stringify(plainTitle(title))} (${state}): ${plain(reason)}`);
  if (stuck.length > NAMED) output.say(`  … and ${stuck.length - NAMED} more, all of them with --json`);
}
