import { kindColumns } from "../../web/report/counts.js";
import type { KindRow, LeftOut, NextStep, RunReport } from "../../web/report/run-report.js";
import type { Decision } from "./describe.js";
import type { Output } from "./output.js";

/** What a run left open. */
export interface OpenWork {
  readonly failures: number;
  readonly leftOut: LeftOut;
  /** The command that tries the failed items again. */
  readonly again: string;
  readonly decisions: readonly Decision[];
  readonly differences: number;
  /** The command that compares again. */
  readonly verify: string;
  /** `--strict`: lost values are the only reason for the exit code. */
  readonly isFailedByLosses?: boolean;
  /** What comes after a run that left nothing open. Default: nothing. */
  readonly after?: NextStep | undefined;
}

export const NOTHING_OPEN: NextStep = { words: "nothing is open", command: null };

/** Words before a command that names files to fill in; empty for other commands. */
function beforeCommand(command: string): string {
  return command.includes("-map ") ? 'fill in the column "new" of each map that this command names; then ' : "";
}

/** `command`: the same plan, with the options that take in what it leaves out. */
export function planAgain(command: string): NextStep {
  return { words: `${beforeCommand(command)}plan again with the options that take in what is left out`, command };
}

/** The one thing to do next: the most urgent of what is open. Doing it shows the one after it. */
export function nextStep(work: OpenWork): NextStep {
  const { failures, leftOut, again, decisions, differences, verify, isFailedByLosses, after } = work;
  const { command } = leftOut;
  if (command !== null) {
    const failed = failures === 0 ? "" : "try the failed items again, and ";
    return { words: `${beforeCommand(command)}${failed}load the items that are left out`, command };
  }
  if (failures > 0) return { words: "remove the causes, then try the failed items again", command: again };
  if (leftOut.count > 0) return { words: "do what each left-out item names above, then try again", command: again };
  const [first] = decisions;
  if (first !== undefined) return { words: `decide. ${first.todo}`, command: first.command };
  if (differences > 0)
    return {
      words: "make the same edits at the source, or revert them on the target; then compare again",
      command: verify,
    };
  if (isFailedByLosses)
    return { words: "decide about the lost values above. The exit code is 12 because of --strict", command: null };
  return after ?? NOTHING_OPEN;
}

export function printStep({ words, command }: NextStep, output: Output): void {
  output.say(`Next: ${words}${command === null ? "." : ":"}`, "prose");
  if (command !== null) output.say(`  ${command}`);
}

/** The last words of a run: the next step and its report. */
export function printNext(next: NextStep | null, html: string, output: Output): void {
  if (next !== null) printStep(next, output);
  output.say(`HTML report: ${html}`);
}

/** The table of outcomes by kind, with their sums. `first`: the heading of the kinds. */
export function printKinds(
  first: string,
  report: Pick<RunReport, "kinds" | "source" | "target"> & { readonly run: Pick<RunReport["run"], "command"> },
  output: Output,
): void {
  const { kinds } = report;
  const columns = kindColumns(report);
  const sum = (of: Exclude<keyof KindRow, "kind">): number => kinds.reduce((total, row) => total + row[of], 0);
  output.say("");
  output.table(
    [first, ...columns.map(({ name }) => name)],
    [
      ...kinds.map((row) => [row.kind, ...columns.map(({ of }) => row[of])]),
      ...(kinds.length > 1 ? [["all", ...columns.map(({ of }) => sum(of))]] : []),
    ],
  );
}
