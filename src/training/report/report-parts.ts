import type { PackageTally } from "./package-tally.js";
import { type Group, groupOf } from "./report-group.js";
import type { ReportLine } from "./report-line.js";

/** What a report for people is made of. */
export interface ReportParts {
  /** Of all lines. */
  readonly tally: PackageTally;
  /** All lines, from the first one; called once for each part of the report, so that no more than one line is held. */
  readonly lines: () => AsyncIterable<ReportLine> | Iterable<ReportLine>;
}

/** Findings of one package that a person reads; the report for programs has all. */
export const MOST_FINDINGS = 50;

/** The lines of one part. */
export async function* linesOf({ lines }: ReportParts, group: Group): AsyncGenerator<ReportLine> {
  for await (const line of lines()) if (groupOf(line) === group) yield line;
}

/** The parts that have packages, in their order. */
export function groupsOf({ tally }: ReportParts): readonly (readonly [Group, number])[] {
  const { refused, stuck, warned, accepted } = tally.groups;
  const all: readonly (readonly [Group, number])[] = [
    ["refused", refused],
    ["stuck", stuck],
    ["warned", warned],
    ["accepted", accepted],
  ];
  return all.filter(([, packages]) => packages > 0);
}
