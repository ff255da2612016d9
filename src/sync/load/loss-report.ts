import { open } from "node:fs/promises";
import type { Ledger } from "../../core/contracts.js";
import { type Issue, isLeftOut } from "../../core/model/issue.js";
import { kindOf } from "../../core/model/key.js";
import type { Workspace } from "../../storage/workspace/workspace.js";

export interface LossReport {
  /** One JSON object a line: loss, item, field, reason and remedy. */
  readonly file: string;
  /** Losses on the target by kind and code: `{ guide: { comments: 3 } }`. */
  readonly losses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** `leftOut`: items left out although an option takes them in; in no other total. */
  readonly totals: Readonly<Record<Issue["level"] | "leftOut", number>>;
}

export async function writeLossReport(workspace: Workspace, ledger: Ledger): Promise<LossReport> {
  const path = workspace.reportFile("losses.ndjson");
  const totals = { note: 0, loss: 0, error: 0, leftOut: 0 };
  const losses: Record<string, Record<string, number>> = {};
  const file = await open(path, "w", 0o600);
  try {
    for await (const issue of ledger.issues()) {
      totals[isLeftOut(issue) ? "leftOut" : issue.level] += 1;
      if (issue.level !== "note" && !isLeftOut(issue)) count(losses, issue);
      await file.write(`${JSON.stringify(issue)}\n`);
    }
  } finally {
    await file.close();
  }
  return { file: path, losses, totals };
}

function count(losses: Record<string, Record<string, number>>, issue: Issue): void {
  const kind = kindOf(issue.key);
  const codes = losses[kind] ?? {};
  codes[issue.code] = (codes[issue.code] ?? 0) + 1;
  losses[kind] = codes;
}
