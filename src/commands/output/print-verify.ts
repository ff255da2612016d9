import type { Difference, VerifySummary } from "../../pipeline/verify/verify.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** Characters of a value that are shown to a person; `--json` has all. */
const SHOWN = 120;

/** Tells one difference as it is found. */
export function printDifference(difference: Difference, output: Output): void {
  const { key, at, path, expected, actual } = difference;
  output.event("difference", difference);
  const where = `${key}${at === null ? "" : ` (there: ${at})`}${path === "" ? "" : `, ${path}`}`;
  output.say(`different: ${where}\n  should be ${shown(expected)}\n  but is    ${shown(actual)}`);
}

/** `Read back and compared: 12 items, 840 fields; no difference but 31 that the report names.` */
export function describeVerify(summary: VerifySummary): string {
  const { items, fields, adopted, refused } = summary;
  const untouched = adopted === 0 ? "" : ` Not compared, since there before: ${count(adopted, "page")}.`;
  const left = refused === 0 ? "" : ` Not sent, since the site would refuse them: ${count(refused, "item")}.`;
  return `Read back and compared: ${count(items, "item")}, ${count(fields, "field")}; ${describeDifferences(summary)}.${untouched}${left}`;
}

function describeDifferences({ differences, explained }: VerifySummary): string {
  if (differences === 0)
    return explained === 0 ? "no difference" : `no difference but ${explained} that the report names`;
  const named = explained === 0 ? "" : `, and ${explained} that it names`;
  return `${count(differences, "difference")} that the report does not name${named}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
