import { describeBeside, describeMissing, type ExtractSummary, kindsIn } from "../../sync/extract-summary.js";
import type { Output } from "./output.js";

type Counts = ExtractSummary["kinds"][keyof ExtractSummary["kinds"]];

const COLUMNS: readonly (readonly [name: string, of: keyof Counts, always: boolean])[] = [
  ["in the workspace", "present", true],
  ["read", "read", true],
  ["unchanged", "unchanged", true],
  ["gone at the site", "gone", false],
  ["failed", "failed", false],
];

/** What an extract did, as `describeExtract` has it, with the kinds as a table; columns of trouble are there when there is any. */
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
