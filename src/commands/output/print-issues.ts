import type { ConvertIssue } from "../../../transforms/convert/setting.js";
import type { Output, OutputOptions } from "./output.js";
import { count } from "./words.js";

/** A text that was read. */
interface Source {
  /** `guide.md`, `stdin`. */
  readonly name: string;
  readonly source: string;
}

/**
 * How many notes, and how many warnings, a person is shown: nobody reads more, and a text that was written to do harm has one at
 * each character.
 */
const SHOWN = 50;

/** Tells the issues of a text: as lines with the place for a person, all as objects for a program; no notes with `--quiet`. */
export function printIssues(
  issues: readonly ConvertIssue[],
  { name, source }: Source,
  output: Output,
  { json, quiet }: Pick<OutputOptions, "json" | "quiet">,
): void {
  const starts = lineStarts(source);
  if (json) {
    const told = quiet ? issues.filter(({ level }) => level !== "note") : issues;
    for (const issue of told) output.event("issue", { file: name, ...issue, ...placeOf(issue, starts) });
    return;
  }
  const left = { note: SHOWN, warn: SHOWN };
  for (const issue of issues) {
    const voice = issue.level === "note" ? "note" : "warn";
    left[voice] -= 1;
    if (left[voice] < 0) continue;
    output[voice](`${name}${wordsFor(issue, placeOf(issue, starts))}: ${issue.message} (${issue.level} ${issue.code})`);
  }
  if (left.warn < 0) output.warn(`${count(-left.warn, "further warning")} about ${name}: --json prints all.`);
  if (left.note < 0) output.note(`${count(-left.note, "further note")} about ${name}: --json prints all.`);
}

/** Counted from 1, columns in UTF-16 units as editors do. */
interface Place {
  readonly line?: number;
  readonly column?: number;
}

function wordsFor({ path }: ConvertIssue, { line, column }: Place): string {
  if (line !== undefined) return `:${line}:${column}`;
  return path === undefined || path === "" ? "" : `: ${path}`;
}

/** Nowhere when the issue is about the whole text. */
function placeOf({ start, end }: ConvertIssue, starts: readonly number[]): Place {
  if (end === 0) return {};
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: start - (starts[low] ?? 0) + 1 };
}

/** Found once: to count the lines before each issue would take squared time. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}
