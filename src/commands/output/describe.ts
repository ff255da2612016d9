import type { LoadSummary } from "../../sync/load.js";
import type { LossReport } from "../../sync/loss-report.js";
import { totalOf } from "../../web/report/count-run.js";
import { groupFailures } from "../../web/report/group-failures.js";
import type { FailureCause, RunCounts } from "../../web/report/run-report.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { shellQuote } from "../shell-quote.js";
import { count } from "./words.js";

/** Causes that are told, and items that are named of each; `status` and the list in the workspace have all. */
const CAUSES = 10;
const NAMED = 10;

/** A load in plain words, with what became of the items. */
export function describeLoad(summary: LoadSummary, { kinds }: Pick<RunCounts, "kinds">): readonly string[] {
  const { target, items, writes, found, heldBack, madeAnew, hidden, operations } = summary;
  const [linked, failed] = [totalOf(kinds, "linked"), totalOf(kinds, "failed")];
  const made = writes === 0 ? "nothing had to be written" : `${count(writes, "write")} in this run`;
  const earlier = found === 0 ? "" : `, ${found} of an earlier run found done`;
  const extras = [
    `${count(operations.done, "operation")} done in all`,
    ...(linked === 0 ? [] : [`linked to ${count(linked, "item")} that stood there before`]),
    ...(failed === 0 ? [] : [`${count(failed, "item")} failed`]),
    ...(heldBack.length === 0 ? [] : [`${count(heldBack.length, "guide")} kept private, since a part is missing`]),
  ];
  return [
    `At ${target.name} (${target.root}): ${count(items, "item")}, ${made}${earlier}; ${extras.join(", ")}.`,
    ...describeGone(summary),
    ...(madeAnew === 0
      ? []
      : [`Deleted at the target by somebody, and made anew: ${count(madeAnew, "item")} (see the report).`]),
    ...(hidden === 0 ? [] : [`Private while they were changed: ${count(hidden, "guide")}.`]),
  ];
}

/** What was chosen and is not at the target, and the command lines that take it in; then what the service has no way to take. */
export function describeLeftOut(
  { leftOut, unsupported }: Pick<RunCounts, "leftOut" | "unsupported">,
  directory: string,
): readonly string[] {
  return [
    ...(leftOut.count === 0
      ? []
      : [
          `LEFT OUT: ${count(leftOut.count, "item")} that ${leftOut.count === 1 ? "was" : "were"} chosen ${leftOut.count === 1 ? "is" : "are"} not at the target.`,
        ]),
    ...leftOut.ways.flatMap(({ command, count: times, causes }) => [
      ...(command === null ? [] : [`To take in ${count(times, "item")}: ${command}`]),
      ...causes.slice(0, CAUSES).flatMap(describeCause),
      ...moreCauses(causes.length, directory),
    ]),
    ...(unsupported.count === 0
      ? []
      : [
          `Not supported by the service: ${count(unsupported.count, "item")}.`,
          ...unsupported.causes.slice(0, CAUSES).flatMap(describeCause),
        ]),
  ];
}

function describeGone({ goneAtSource: { listed, deleted } }: LoadSummary): readonly string[] {
  if (listed === 0) return [];
  const left = listed - deleted;
  const stay = left === 0 ? "" : `${deleted === 0 ? "" : ", "}${left} left at the target (see the report)`;
  return [
    `Gone at the source: ${count(listed, "item")}; ${deleted === 0 ? "" : `${deleted} deleted at the target`}${stay}.`,
  ];
}

/** The loss ledger in plain words. */
export function describeLosses({ totals, losses, file }: LossReport): readonly string[] {
  const all = totals.loss + totals.error;
  if (all + totals.note === 0) return ["Nothing was lost on the way."];
  return [
    `Not supported by the service: ${count(all, "value")}; and there ${totals.note === 1 ? "is" : "are"} ${count(totals.note, "note")}${all === 0 ? "." : ":"}`,
    ...Object.entries(losses).map(([kind, codes]) => `  ${kind}: ${describeCodes(codes)}`),
    `Each with item, field, reason and remedy: ${file}`,
  ];
}

/** What failed, and how to take it up again; default: by `retry`. */
export function describeFailures(
  failures: readonly Failure[],
  directory: string,
  again = `guideferry retry ${shellQuote([directory])}`,
): readonly string[] {
  if (failures.length === 0) return [];
  return [
    `FAILED: ${count(new Set(failures.map(({ key }) => key)).size, "item")}. To take them up again: ${again}`,
    ...describeCauses(failures, directory),
  ];
}

/** Why items failed, and what to do about it: a cause of many is told once. */
export function describeCauses(failures: readonly Omit<Failure, "at">[], directory: string): readonly string[] {
  const causes = groupFailures(failures);
  return [...causes.slice(0, CAUSES).flatMap(describeCause), ...moreCauses(causes.length, directory)];
}

function moreCauses(causes: number, directory: string): readonly string[] {
  if (causes <= CAUSES) return [];
  return [`  and ${causes - CAUSES} other causes: guideferry status ${shellQuote([directory])} --json`];
}

function describeCause({ reason, remedy, stages, count: times, keys }: FailureCause): readonly string[] {
  const stage = stages.join(", ");
  const named = keys.slice(0, NAMED);
  const others = times - named.length;
  return [
    times === 1
      ? `  ${named[0]} (${stage}): ${indented(reason)}`
      : `  ${count(times, "item")} (${stage}), the first: ${indented(reason)}`,
    ...(remedy === "" ? [] : [`    What to do: ${indented(remedy)}`]),
    ...(times === 1 ? [] : [`    ${named.join(", ")}${others === 0 ? "" : ` and ${others} more`}`]),
  ];
}

/** Further lines of a reason stand under its first one. */
export function indented(text: string): string {
  return text.replaceAll("\n", "\n    ");
}

/** `17 × dates, 4 × comments`, the most frequent first. */
export function describeCodes(codes: Readonly<Record<string, number>>): string {
  return Object.entries(codes)
    .sort(([, one], [, other]) => other - one)
    .map(([code, times]) => `${times} × ${code}`)
    .join(", ");
}
