import type { LoadSummary } from "../../pipeline/load.js";
import type { LossReport } from "../../pipeline/loss-report.js";
import { groupFailures } from "../../report/group-failures.js";
import type { FailureCause } from "../../report/run-report.js";
import type { Failure } from "../../workspace/failure-list.js";
import { shellQuote } from "../shell-quote.js";
import { count } from "./words.js";

/** Causes that are told, and items that are named of each; `status` and the list in the workspace have all. */
const CAUSES = 10;
const NAMED = 10;

/** A load in plain words. */
export function describeLoad(summary: LoadSummary): readonly string[] {
  const { target, items, writes, found, adopted, refused, failed, heldBack, madeAnew, hidden, operations } = summary;
  const made = writes === 0 ? "nothing had to be written" : `${count(writes, "write")} in this run`;
  const earlier = found === 0 ? "" : `, ${found} of an earlier run found done`;
  const extras = [
    `${count(operations.done, "operation")} done in all`,
    ...(adopted === 0 ? [] : [`linked to ${count(adopted, "page")} that stood there before`]),
    ...(refused === 0 ? [] : [`${count(refused, "item")} not sent, since the site would refuse them (see the report)`]),
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
    `The service has no way to take ${count(all, "value")}, and there ${totals.note === 1 ? "is" : "are"} ${count(totals.note, "note")}:`,
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
    `FAILED: ${count(failures.length, "item")}. To take them up again: ${again}`,
    ...describeCauses(failures, directory),
  ];
}

/** Why items failed, and what to do about it: a cause of many is told once. */
export function describeCauses(failures: readonly Omit<Failure, "at">[], directory: string): readonly string[] {
  const causes = groupFailures(failures);
  const more = causes.length - CAUSES;
  return [
    ...causes.slice(0, CAUSES).flatMap(describeCause),
    ...(more > 0 ? [`  and ${more} other causes: guideferry status ${shellQuote([directory])} --json`] : []),
  ];
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
