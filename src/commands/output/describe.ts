import type { LoadSummary } from "../../pipeline/load.js";
import type { LossReport } from "../../pipeline/loss-report.js";
import type { Failure } from "../../workspace/failure-list.js";
import { shellQuote } from "../shell-quote.js";
import { count } from "./words.js";

/** Failures that are named one by one; `status` and the list in the workspace have all. */
const NAMED = 20;

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
    `The service has no way to take ${count(all, "value")}, and there are ${count(totals.note, "note")}:`,
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
  const more = failures.length - NAMED;
  return [
    `FAILED: ${count(failures.length, "item")}. To take them up again: ${again}`,
    ...failures.slice(0, NAMED).map(({ key, stage, reason }) => `  ${key} (${stage}): ${indented(reason)}`),
    ...(more > 0 ? [`  and ${more} more: guideferry status ${shellQuote([directory])} --json`] : []),
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
