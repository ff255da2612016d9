import type { PackageRow } from "../../core/training.js";
import { titleOf } from "./file-name.js";
import { lookForDraft } from "./look-for-draft.js";
import type { ImportRun } from "./run.js";
import { foldTitle } from "./site-list.js";

/**
 * Before anything is decided: looks for the modules whose making an earlier run never heard of again, since what lies at their places now may be
 * a new version of them, and learns from older drafts whether the site lists drafts. What can't be told yet is left to the packages' own turns.
 */
export async function settle(run: ImportRun): Promise<void> {
  const drafting: PackageRow[] = [];
  for await (const row of run.job.journal.rows()) {
    if (row.state === "drafting" && row.moduleId === null) drafting.push(row);
    else await learnFrom(run, row);
  }
  for (const row of drafting) await settleRow(run, row);
}

/** A draft of ours in the list shows that it lists drafts. That one is missing shows nothing: somebody may have deleted it. */
async function learnFrom(run: ImportRun, row: PackageRow): Promise<void> {
  if (row.moduleId === null || row.isNewVersion) return;
  const listed = run.list.get(row.moduleId);
  if (listed === undefined || listed.currentImport !== null || row.state === "published") return;
  if (foldTitle(listed.title) !== foldTitle(titleOf(row.module, row.source))) return;
  if ((await run.job.journal.listsDrafts()) === undefined) await run.job.journal.learnListsDrafts(true);
}

async function settleRow(run: ImportRun, row: PackageRow): Promise<void> {
  const { journal } = run.job;
  const known = await journal.listsDrafts();
  if (known === false) return;
  const { found, isSettled } = await lookForDraft(run, row, row.changed + run.options.settle);
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) {
    if (known === undefined) await journal.learnListsDrafts(true);
    await run.put(row, { state: "drafted", moduleId: only.id, before: [] });
    return;
  }
  // A row that begins anew counts as found at its place; another package may lie there by now.
  const isLast = (await journal.lastFrom(row.place))?.digest === row.digest;
  if (only === undefined && isSettled && known === true && isLast) await run.put(row, { state: "checked", before: [] });
}
