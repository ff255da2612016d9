import { EXIT } from "../../core/errors.js";
import type { BlamedLine } from "../../backup/past/carried-over.js";
import type { HistoryEntry } from "../../backup/past/history.js";
import type { Output } from "./output.js";
import { describeChanges } from "./print-diff.js";
import { count, quoted } from "./words.js";

/** Tells the nights in which an item changed, oldest first. */
export async function printHistory(entries: AsyncIterable<HistoryEntry>, output: Output): Promise<void> {
  let changes = 0;
  for await (const entry of entries) {
    changes += 1;
    output.event("version", entry);
    output.say(describe(entry));
    for (const line of describeChanges(entry.changes)) output.say(`    ${line}`);
  }
  output.say(`${count(changes, "version")}.`);
  output.event("summary", { exitCode: EXIT.ok, versions: changes });
}

function describe({ snapshot, what, revision, title, modified, size, author }: HistoryEntry): string {
  const facts = [
    ...(revision === "" ? [] : [`revision ${revision}`]),
    ...(modified === null ? [] : [`changed ${dateOf(modified)}`]),
    ...(author === null ? [] : [`author ${author}`]),
    ...(size === null ? [] : [count(size, "byte")]),
  ];
  return `${snapshot}  ${what.padEnd(7)}  ${quoted(title)}  ${facts.join(", ")}`.trimEnd();
}

/** Tells where each line of an item comes from. */
export function printBlame(lines: readonly BlamedLine[], output: Output): void {
  const width = Math.max(0, ...lines.map(({ author }) => (author ?? "").length));
  const revisions = Math.max(0, ...lines.map(({ revision }) => revision.length));
  for (const each of lines) {
    const { snapshot, revision, author, line } = each;
    output.event("line", each);
    output.say(`${snapshot}  ${revision.padEnd(revisions)}  ${(author ?? "").padEnd(width)} | ${line}`.trimEnd());
  }
  output.event("summary", { exitCode: EXIT.ok, lines: lines.length });
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}
