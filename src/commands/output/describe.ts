import type { Key } from "../../core/model/key.js";
import { aroundDifference } from "../../core/util/text-difference.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { describeBeside, describeMissing, type ExtractSummary, kindsIn } from "../../sync/extract/summary.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import type { LossReport } from "../../sync/load/loss-report.js";
import type { Difference, VerifySummary } from "../../sync/verify/verify.js";
import { totalOf } from "../../web/report/counts.js";
import { groupFailures } from "../../web/report/failures.js";
import type { FailureCause, RunCounts } from "../../web/report/run-report.js";
import type { Output } from "./output.js";
import { count, shellQuote } from "./words.js";

/**
 * Causes that are told, and items that are named of each; `status` and the list in the workspace
 * have all.
 */
const CAUSES = 10;
const NAMED = 10;

export function describeLoad(summary: LoadSummary, { kinds }: Pick<RunCounts, "kinds">): readonly string[] {
  const { target, items, writes, found, heldBack, recreated, hidden, operations } = summary;
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
    ...describeDeleted(summary),
    ...(recreated === 0
      ? []
      : [`Deleted at the target by somebody, and made anew: ${count(recreated, "item")} (see the report).`]),
    ...(hidden === 0 ? [] : [`Private while they were changed: ${count(hidden, "guide")}.`]),
  ];
}

/**
 * What was chosen and is not at the target, and the command lines that take it in; then what the
 * service has no way to take.
 */
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

function describeDeleted({ deletedAtSource: { listed, deleted } }: LoadSummary): readonly string[] {
  if (listed === 0) return [];
  const left = listed - deleted;
  const stay = left === 0 ? "" : `${deleted === 0 ? "" : ", "}${left} left at the target (see the report)`;
  return [
    `Gone at the source: ${count(listed, "item")}; ${deleted === 0 ? "" : `${deleted} deleted at the target`}${stay}.`,
  ];
}

export function describeLosses({ totals, losses, file }: LossReport): readonly string[] {
  const all = totals.loss + totals.error;
  if (all + totals.note === 0) return ["Nothing was lost on the way."];
  return [
    `Not supported by the service: ${count(all, "value")}; and there ${totals.note === 1 ? "is" : "are"} ${count(totals.note, "note")}${all === 0 ? "." : ":"}`,
    ...Object.entries(losses).map(([kind, codes]) => `  ${kind}: ${describeCodes(codes)}`),
    `Each with item, field, reason and remedy: ${file}`,
  ];
}

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

export interface OpenDecisions {
  readonly conflicts: number;
  readonly privateThere: readonly Key[];
  /** Whole commands: one that puts the source's version over conflicts, and one that publishes. */
  readonly update: string;
  readonly publish: string;
}

/** A line each with the command that does it. A run with such lines does not end with 0. */
export function describeOpenDecisions({ conflicts, privateThere, update, publish }: OpenDecisions): readonly string[] {
  return [
    ...(conflicts === 0
      ? []
      : [
          `${count(conflicts, "conflict")} left as somebody else has it at the target, each listed. To put the source's version over it: ` +
            `${update}. To leave it so, say --on-conflict skip.`,
        ]),
    ...(privateThere.length === 0
      ? []
      : [
          `Public at the source and private at the target: ${count(privateThere.length, "guide")} (${namesOf(privateThere)}), each listed with the reason. ` +
            `To publish: ${publish}.`,
        ]),
  ];
}

function namesOf(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).join(", ");
  return keys.length > NAMED ? `${named} and ${keys.length - NAMED} more` : named;
}

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

type Counts = ExtractSummary["kinds"][keyof ExtractSummary["kinds"]];

const COLUMNS: readonly (readonly [name: string, of: keyof Counts, always: boolean])[] = [
  ["in the workspace", "present", true],
  ["read", "read", true],
  ["unchanged", "unchanged", true],
  ["gone at the site", "gone", false],
  ["failed", "failed", false],
];

/**
 * What an extract did, as `describeExtract` has it, with the kinds as a table; columns of trouble
 * are there when there is any.
 */
export function printExtract(summary: ExtractSummary, output: Output): void {
  const { kinds } = summary;
  for (const line of describeMissing(summary)) output.say(line);
  const there = kindsIn(summary);
  const columns = COLUMNS.filter(([, of, always]) => always || there.some((kind) => kinds[kind][of] > 0));
  output.table(
    ["kind", ...columns.map(([name]) => name)],
    there.map((kind) => [kind, ...columns.map(([, of]) => kinds[kind][of])]),
  );
  for (const line of describeBeside(summary)) output.say(line);
}

/**
 * Characters of a value that are shown to a person, around the first difference; `--json` has all.
 */
const SHOWN = 120;

/** Differences that a person is shown one by one; `--json` has all. */
const NAMED_DIFFERENCES = 50;

const NOTED = 10;

const WHAT_NOW =
  "What somebody changed at the target since stays as long as the source does not change it too (then --on-conflict decides): " +
  "take it over at the source, or undo it at the target.";

interface DifferencePrinter {
  print(difference: Difference): void;
  /** A text that came back as it was sent, and that the target shows otherwise than it should. */
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
        output.say(`… and ${count(found - NAMED_DIFFERENCES, "more difference")}; all of them with --json`);
      if (noted > NOTED) output.say(`… and ${count(noted - NOTED, "more note")}; all of them with --json`);
    },
  };
}

/**
 * `Read back and compared: 12 items, 840 fields; no difference but 31 that the report names.`, and
 * what else was looked at.
 */
export function describeVerify(summary: VerifySummary): readonly string[] {
  const { items, listed, fields, adopted, refused, report } = summary;
  const untouched = adopted === 0 ? "" : ` Not compared, since there before: ${count(adopted, "item")}.`;
  const left = refused === 0 ? "" : ` Not compared, since the site would refuse them: ${count(refused, "item")}.`;
  return [
    `Read back and compared: ${count(items, "item")}, ${count(fields, "field")}; ${describeDifferences(summary)}.${untouched}${left}`,
    describeLooks(summary),
    ...(summary.noted === 0 ? [] : [`Notes: ${count(summary.noted, "text")} ${SHOWN_OTHERWISE}.`]),
    ...(listed === undefined
      ? []
      : [
          `Compared was what this run wrote; ${count(listed, "other item")} the target lists (all are read back with --verify full).`,
        ]),
    ...(summary.differences === 0 ? [] : [WHAT_NOW]),
    ...(report === undefined
      ? []
      : [`The proof is in ${report.file}: ${count(report.items, "item")}, root ${report.root}`]),
  ];
}

function describeLooks({ rendered, unrendered, references, unfollowed }: VerifySummary): string {
  const without = unrendered === 0 ? "" : `, ${unrendered} more without HTML`;
  const open = unfollowed === 0 ? "" : `, ${unfollowed} more that no call gives`;
  return `Also compared as they are shown: ${count(rendered, "text")}${without}. Followed: ${count(references, "reference")}${open}.`;
}

function describeDifferences({ differences, explained }: VerifySummary): string {
  if (differences === 0)
    return explained === 0 ? "no difference" : `no difference but ${explained} that the report names`;
  const named = explained === 0 ? "" : `, and ${explained} that it names`;
  return `${count(differences, "difference")} that the report does not name${named}`;
}

const SHOWN_OTHERWISE = "came back as sent, and the target shows it otherwise than expected";

function describeDifference(what: "different" | "note", { key, at, path, expected, actual }: Difference): string {
  const where = `${key}${at === null ? "" : ` (there: ${at})`}${path === "" ? "" : `, ${path}`}`;
  const [wanted, got] = aroundDifference(jsonOf(expected), jsonOf(actual), SHOWN);
  return `${what}: ${where}\n  should be ${wanted}\n  but is    ${got}`;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
