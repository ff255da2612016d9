import { type Copied, copyRepository } from "../../backup/copy-repository.js";
import { EXIT, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/files.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import { type CommandCall, type ResultEnd, tellEnd } from "../command.js";
import { readGoalRepository } from "../location.js";
import { count, size } from "../output/words.js";

/** Copies what `goal` lacks; ends with 6 if a snapshot could not be copied. */
export async function runCopy(call: CommandCall, from: RepositoryStorage, goal: string): Promise<ResultEnd> {
  const { output, settings } = call;
  const { dryRun } = settings;
  const to = await readGoalRepository(goal, call);
  refuseSame(from, to);
  const holder = await from.holder();
  if (holder !== undefined)
    output.note(`Another run uses ${from.address}: \`${holder.command}\`. Snapshots that it adds are not copied.`);
  const done = await copyRepository({
    ...{ from, to, dryRun },
    signal: call.stop,
    progress: (finished, total, bytes) =>
      output.progress({ stage: "archive", done: finished, total, bytes, failed: 0 }),
  });
  output.close();
  return finish(call, done, { from: from.address, to: to.address });
}

/** Throws UsageError where one is the other, or in it. */
function refuseSame(from: RepositoryStorage, to: RepositoryStorage): void {
  const inEachOther =
    from.folder !== null && to.folder !== null
      ? isUnder(from.folder, to.folder) || isUnder(to.folder, from.folder)
      : from.address.replace(/\/+$/, "") === to.address.replace(/\/+$/, "");
  if (!inEachOther) return;
  throw new UsageError(
    `${to.address} and ${from.address} are the same place, or one is in the other. Name another place for the copy.`,
  );
}

const NAMED = 20;

function finish(
  { output, settings: { dryRun } }: CommandCall,
  { copied, damaged, bytes, continued, onlyThere, snapshots }: Copied,
  places: { readonly from: string; readonly to: string },
) {
  const { from, to } = places;
  for (const { index, reason } of damaged) output.event("damage", { of: "snapshot", snapshot: index.snapshot, reason });
  for (const { index, reason } of damaged.slice(0, NAMED)) output.say(`not copied: ${index.snapshot}: ${reason}`);
  if (damaged.length > NAMED) output.say(`… and ${damaged.length - NAMED} more; --json prints all`);
  const of = (what: string): number => copied.filter(({ kind }) => (kind === "repair") === (what === "repair")).length;
  const news = of("snapshot");
  const repairs = of("repair") === 0 ? "" : ` and ${count(of("repair"), "repair archive")}`;
  const what = copied.length === 0 ? "nothing was missing" : `${count(news, "snapshot")}${repairs} (${size(bytes)})`;
  const verb = copied.length === 0 ? "" : dryRun ? "would copy " : "copied ";
  output.say(`${to}: ${verb}${what}; ${dryRun ? "it would have" : "it has"} ${count(snapshots, "snapshot")}.`);
  if (continued.archives > 0)
    output.say(
      `Continued a stopped copy: it had ${count(continued.archives, "archive")} (${size(continued.bytes)}) already.`,
    );
  if (onlyThere.length > 0)
    output.say(
      `${count(onlyThere.length, "snapshot")} of the copy no longer exist in ${from}. They stay; \`guideferry prune ${to}\` deletes old ones.`,
    );
  if (damaged.length > 0)
    output.say(
      `Not copied: ${count(damaged.length, "snapshot")}. \`guideferry verify ${from}\` lists the damage, \`guideferry repair ${from} SITE\` repairs it; then copy again.`,
    );
  const facts = {
    ...places,
    dryRun,
    copied: copied.map(({ snapshot }) => snapshot),
    bytes,
    continued,
    damaged: damaged.map(({ index }) => index.snapshot),
    onlyThere: onlyThere.map(({ snapshot }) => snapshot),
    snapshots,
  };
  return tellEnd(output, facts, damaged.length > 0 ? EXIT.differences : EXIT.ok);
}
