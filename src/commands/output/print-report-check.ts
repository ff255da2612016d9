import type { ExitCode } from "../../core/errors.js";
import type { ReportCheck, ReportDamage } from "../../sync/verify/report/check-report.js";
import type { ReportedField, ReportedItem } from "../../sync/verify/report/report-format.js";
import type { Output } from "./output.js";
import { count, quoted } from "./words.js";

/** Says whether a report is whole, and what it says of the item that was asked for. */
export function printReportCheck(file: string, check: ReportCheck, exitCode: ExitCode, output: Output): void {
  const { damage, item, items, fields, root } = check;
  for (const one of damage) {
    output.event("damage", one);
    output.say(describeDamage(one));
  }
  if (item !== undefined) for (const line of describeItem(item)) output.say(line);
  output.say(
    damage.length > 0
      ? `DAMAGED: ${file} is not as it was written. Get it again from whoever made it, or compare again.`
      : `Whole: ${item === undefined ? count(items, "item") : item.key} in ${file}; ${describeFields(fields)}.`,
  );
  if (root !== null) output.say(`Root: ${root}`);
  output.event("summary", { exitCode, file, ...check });
}

function describeDamage({ line, key, what }: ReportDamage): string {
  if (line === null) return `damaged: ${what}`;
  return `damaged: line ${line}${key === null ? "" : ` (${key})`}: ${what}`;
}

function describeFields({ equal = 0, named = 0, noted = 0, different = 0 }: ReportCheck["fields"]): string {
  const notes = noted === 0 ? "" : `, ${noted} shown otherwise (notes)`;
  return `${count(equal, "field")} equal, ${named} named by the loss ledger${notes}, ${different} different`;
}

function describeItem({ key, state, at, title, fields, codes }: ReportedItem): readonly string[] {
  const there = at === null ? "" : `, at the target: ${at.id}${at.url === null ? "" : ` (${at.url})`}`;
  const why = codes === undefined ? "" : `, because of ${codes.join(", ")}`;
  return [
    `${key}${title === null ? "" : ` ${quoted(title)}`}: ${state}${why}${there}`,
    ...fields.flatMap(describeField),
  ];
}

function describeField(field: ReportedField): readonly string[] {
  if (field.verdict === "equal") return [];
  const codes = field.codes === undefined ? "" : ` (${field.codes.join(", ")})`;
  return [
    `  ${field.verdict}: ${field.path}${codes}`,
    `    should be ${JSON.stringify(field.expected)}`,
    `    but is    ${JSON.stringify(field.actual)}`,
  ];
}
