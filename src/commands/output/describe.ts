import type { Key } from "../../core/model/key.js";
import { aroundDifference } from "../../core/util/text-difference.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import type { LossReport } from "../../sync/load/loss-report.js";
import type { Difference, VerifySummary } from "../../sync/verify/verify.js";
import { groupFailures } from "../../web/report/failures.js";
import type { FailureCause, RunCounts } from "../../web/report/run-report.js";
import { stageName } from "../../web/report/stages.js";
import type { Output } from "./output.js";
import { count, shellQuote } from "./words.js";

/** Causes that are shown, and items of each; `status` and the list in the workspace have all. */
const CAUSES = 10;
const NAMED = 10;
/** The same at the end of a run; the report has all. */
const FEW = 3;

/** What was sent, and what is special about it; the table has the counts of items. */
export function describeLoad(summary: LoadSummary): readonly string[] {
  const { target, items, writes, found, heldBack, recreated, hidden } = summary;
  const made = writes === 0 ? "no write request was needed" : `${count(writes, "write request")}`;
  const earlier = found === 0 ? "" : `, ${count(found, "creation")} of a killed run found on the target`;
  return [
    `Loaded ${count(items, "item")} into ${target.name} (${target.root}): ${made}${earlier}.`,
    ...(heldBack.length === 0 ? [] : [`Kept private, because a part is missing: ${count(heldBack.length, "guide")}.`]),
    ...describeDeleted(summary),
    ...(recreated === 0
      ? []
      : [`Deleted on the target by somebody, and recreated: ${count(recreated, "item")} (see the report).`]),
    ...(hidden === 0 ? [] : [`Made private during their change: ${count(hidden, "guide")}.`]),
  ];
}

/** The items that are left out, with the commands that load them; then what is not supported. */
export function describeLeftOut(
  { leftOut, unsupported }: Pick<RunCounts, "leftOut" | "unsupported">,
  directory: string,
): readonly string[] {
  return [
    ...(leftOut.count === 0
      ? []
      : [`LEFT OUT: ${count(leftOut.count, "chosen item")} ${leftOut.count === 1 ? "is" : "are"} not on the target.`]),
    ...leftOut.ways.flatMap(({ command, count: times, causes }) => [
      ...(command === null ? [] : [`To load ${count(times, "item")}: ${command}`]),
      ...causes.slice(0, CAUSES).flatMap((cause) => describeCause(cause)),
      ...moreCauses(causes.length, directory),
    ]),
    ...(unsupported.count === 0
      ? []
      : [
          `Not supported by the service: ${count(unsupported.count, "item")}.`,
          ...unsupported.causes.slice(0, CAUSES).flatMap((cause) => describeCause(cause)),
        ]),
  ];
}

/** The same in a few lines, for the end of a run, which names the command in its next step. */
export function describeLeftOutShort({ leftOut, unsupported }: Pick<RunCounts, "leftOut" | "unsupported">) {
  const causes = leftOut.ways.flatMap(({ command, causes }) =>
    causes.map((cause) => ({ ...cause, stages: [], ...(command === null ? {} : { remedy: "" }) })),
  );
  return [
    ...(leftOut.count === 0
      ? []
      : [`LEFT OUT: ${count(leftOut.count, "chosen item")} ${leftOut.count === 1 ? "is" : "are"} not on the target.`]),
    ...describeFew(causes),
    ...(unsupported.count === 0 ? [] : [`Not supported by the service: ${count(unsupported.count, "item")}.`]),
    ...describeFew(unsupported.causes.map((cause) => ({ ...cause, stages: [] }))),
  ];
}

export function describeFailuresShort(failures: readonly Failure[]): readonly string[] {
  if (failures.length === 0) return [];
  return [`FAILED: ${count(keysIn(failures), "item")}.`, ...describeFew(groupFailures(failures))];
}

function describeFew(causes: readonly FailureCause[]): readonly string[] {
  const more = causes.length - FEW;
  return [
    ...causes.slice(0, FEW).flatMap((cause) => describeCause(cause, FEW)),
    ...(more > 0 ? [`  and ${count(more, "more reason")}, in the report`] : []),
  ];
}

function keysIn(failures: readonly Failure[]): number {
  return new Set(failures.map(({ key }) => key)).size;
}

function describeDeleted({ deletedAtSource: { listed, deleted } }: LoadSummary): readonly string[] {
  if (listed === 0) return [];
  const left = listed - deleted;
  const stay = left === 0 ? "" : `${deleted === 0 ? "" : ", "}${left} left on the target (see the report)`;
  return [
    `Deleted at the source: ${count(listed, "item")}; ${deleted === 0 ? "" : `${deleted} deleted on the target`}${stay}.`,
  ];
}

export function describeLosses({ totals, losses, file }: LossReport): readonly string[] {
  const all = totals.loss + totals.error;
  if (all + totals.note === 0) return ["Nothing was lost."];
  return [
    `Values lost: ${all}. There ${totals.note === 1 ? "is" : "are"} also ${count(totals.note, "note")}.`,
    ...Object.entries(losses).map(([kind, codes]) => `  ${kind}: ${describeCodes(codes)}`),
    `The loss ledger lists each with item, field, reason and remedy: ${file}`,
  ];
}

export function describeFailures(
  failures: readonly Failure[],
  directory: string,
  again = `guideferry retry ${shellQuote([directory])}`,
): readonly string[] {
  if (failures.length === 0) return [];
  return [`FAILED: ${count(keysIn(failures), "item")}. To try again: ${again}`, ...describeCauses(failures, directory)];
}

/** What only a person can decide: what is open, what to do, and the whole command of it. */
export interface Decision {
  readonly words: string;
  readonly todo: string;
  readonly command: string;
}

export interface OpenDecisions {
  readonly conflicts: number;
  readonly privateThere: readonly Key[];
  /** The commands that overwrite conflicts with the source's version, and that publish. */
  readonly update: string;
  readonly publish: string;
}

/** A run with open decisions does not end with 0. */
export function openDecisions({ conflicts, privateThere, update, publish }: OpenDecisions): readonly Decision[] {
  return [
    ...(conflicts === 0
      ? []
      : [
          {
            words: `${count(conflicts, "conflict")}, listed in the report: the remote edit stays on the target. To keep it, use --on-conflict skip.`,
            todo: "To overwrite it with the source's version",
            command: update,
          },
        ]),
    ...(privateThere.length === 0
      ? []
      : [
          {
            words: `Public at the source and private on the target: ${count(privateThere.length, "guide")} (${namesOf(privateThere)}), each listed with the reason.`,
            todo: "To publish",
            command: publish,
          },
        ]),
  ];
}

export function describeDecision({ words, todo, command }: Decision): string {
  return `${words} ${todo}: ${command}`;
}

function namesOf(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).join(", ");
  return keys.length > NAMED ? `${named} and ${keys.length - NAMED} more` : named;
}

export function describeCauses(failures: readonly Omit<Failure, "at">[], directory: string): readonly string[] {
  const causes = groupFailures(failures);
  return [...causes.slice(0, CAUSES).flatMap((cause) => describeCause(cause)), ...moreCauses(causes.length, directory)];
}

function moreCauses(causes: number, directory: string): readonly string[] {
  if (causes <= CAUSES) return [];
  return [`  and ${causes - CAUSES} other causes. To list all: guideferry status ${shellQuote([directory])} --json`];
}

function describeCause(cause: FailureCause, most = NAMED): readonly string[] {
  const { reason, remedy, stages, count: times, keys } = cause;
  const during = stages.length === 0 ? "" : ` (${stages.map(stageName).join(", ")})`;
  const named = keys.slice(0, most);
  const others = times - named.length;
  return [
    times === 1
      ? `  ${named[0]}${during}: ${indented(reason)}`
      : `  ${count(times, "item")}${during}, the first: ${indented(reason)}`,
    ...(remedy === "" ? [] : [`    What to do: ${indented(remedy)}`]),
    ...(times === 1 ? [] : [`    ${named.join(", ")}${others === 0 ? "" : ` and ${others} more`}`]),
  ];
}

/** The further lines of a reason are below its first one. */
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

/** Characters of a value that are shown around the first difference; `--json` has all. */
const SHOWN = 120;

/** Differences that are shown one by one; `--json` has all. */
const NAMED_DIFFERENCES = 50;

const NOTED = 10;

const WHAT_NOW =
  "A remote edit on the target stays until the source changes the same field; then --on-conflict decides. " +
  "To remove the difference, make the same edit at the source, or revert it on the target.";

interface DifferencePrinter {
  print(difference: Difference): void;
  /** A text that was read back as it was sent, and that the target renders differently. */
  printNote(note: Difference): void;
  end(): void;
}

export function createDifferencePrinter(output: Output): DifferencePrinter {
  let [found, noted] = [0, 0];
  return {
    print: (difference) => {
      output.event("difference", difference);
      found += 1;
      if (found <= NAMED_DIFFERENCES) output.say(describeDifference("different", difference));
    },
    printNote: (note) => {
      output.event("note", { message: `${note.key}, ${note.path}: ${SHOWN_OTHERWISE}`, ...note });
      noted += 1;
      if (noted <= NOTED) output.say(describeDifference("note", note));
    },
    end: () => {
      if (found > NAMED_DIFFERENCES)
        output.say(`… and ${count(found - NAMED_DIFFERENCES, "more difference")}; --json prints all`);
      if (noted > NOTED) output.say(`… and ${count(noted - NOTED, "more note")}; --json prints all`);
    },
  };
}

/** `Compared 12 items, 840 fields: no differences, apart from 31 in the loss ledger.`, and more. */
export function describeVerify(summary: VerifySummary): readonly string[] {
  const { items, fields, adopted, refused } = summary;
  const untouched = adopted === 0 ? "" : ` Not compared, because they existed before: ${count(adopted, "item")}.`;
  const left = refused === 0 ? "" : ` Not compared, because the site would refuse them: ${count(refused, "item")}.`;
  return [
    `Read back and compared ${count(items, "item")}, ${count(fields, "field")}: ${describeDifferences(summary)}.${untouched}${left}`,
    describeLooks(summary),
    ...(summary.noted === 0 ? [] : [`Notes: ${count(summary.noted, "text")} ${SHOWN_OTHERWISE}.`]),
    ...(summary.differences === 0 ? [] : [WHAT_NOW]),
    ...describeExtent(summary),
  ];
}

/** The result, and what the table of the end does not say: how much was compared, and the proof. */
export function describeVerifyShort(summary: VerifySummary): readonly string[] {
  return [...describeVerify(summary).slice(0, 1), ...describeExtent(summary)];
}

function describeExtent({ listed, report }: VerifySummary): readonly string[] {
  const others =
    listed === undefined || listed === 0
      ? []
      : [
          `Compared only the items that this run wrote. The target lists ${count(listed, "other item")}; --verify full reads back all.`,
        ];
  if (report === undefined) return others;
  return [...others, `Verify report: ${report.file} (${count(report.items, "item")}, root ${report.root})`];
}

function describeLooks({ rendered, unrendered, references, unfollowed }: VerifySummary): string {
  const without = unrendered === 0 ? "" : ` (${unrendered} more have no HTML)`;
  const open = unfollowed === 0 ? "" : ` (the API does not return ${unfollowed} more)`;
  return `Also compared the rendered HTML of ${count(rendered, "text")}${without}. Followed ${count(references, "reference")}${open}.`;
}

function describeDifferences({ differences, explained }: VerifySummary): string {
  if (differences === 0)
    return explained === 0 ? "no differences" : `no differences, apart from ${explained} in the loss ledger`;
  const named = explained === 0 ? "" : `, and ${explained} that it contains`;
  return `${count(differences, "difference")} that the loss ledger does not contain${named}`;
}

const SHOWN_OTHERWISE = "was read back as sent, but the target renders it differently than expected";

function describeDifference(what: "different" | "note", { key, at, path, expected, actual }: Difference): string {
  const where = `${key}${at === null ? "" : ` (on the target: ${at})`}${path === "" ? "" : `, ${path}`}`;
  const [wanted, got] = aroundDifference(jsonOf(expected), jsonOf(actual), SHOWN);
  return `${what}: ${where}\n  should be ${wanted}\n  but is    ${got}`;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
