import { FerryError } from "../../core/errors.js";
import type { PackageRow, SiteImport } from "../../core/training.js";
import { endOf } from "./ended.js";
import { importOf } from "./import-facts.js";
import { endsRun } from "./lost-answers.js";
import type { ImportRun } from "./run.js";
import type { Trip } from "./trip.js";

/** Why an import is not waited for any longer. */
export type Cause = "stop" | "deadline";

const CANCELLED: Readonly<Record<Cause, string>> = {
  stop: "The import was cancelled at the site, since the run was asked to stop. Run again to import the package.",
  deadline:
    "The import took longer than it may and was cancelled at the site. Run again, with a longer --deadline if the site is slow.",
};

/** Cancels an import at the site, and asks once more: it may be over by then, and an engine may not be able to stop a job. */
export async function giveUp(trip: Trip, row: PackageRow, cause: Cause): Promise<PackageRow> {
  const told = await cancelAndAsk(trip.run, importOf(row));
  if (told?.phase === "cancelled") return trip.put(row, { state: "cancelled", reason: CANCELLED[cause] });
  const end = told === undefined ? undefined : endOf(told);
  if (end !== undefined) return trip.put(row, end);
  // It goes on at the site, and the next run asks how it went.
  return cause === "stop" ? row : trip.put(row, { state: "unknown", reason: stillRunning(told) });
}

/** What the site says against a cancel, the look after it shows. undefined: it doesn't know the import. */
export async function cancelAndAsk(run: ImportRun, importId: string): Promise<SiteImport | undefined> {
  const { site, control } = run.job;
  try {
    await site.cancel(importId, control.abort);
  } catch (error) {
    if (control.abort.aborted || !(error instanceof FerryError) || endsRun(error)) throw error;
  }
  return site.progress(importId, control.abort);
}

function stillRunning(told: SiteImport | undefined): string {
  const state = told === undefined || told.state === "" ? "not known" : `"${told.state}"`;
  return (
    `The import took longer than it may and the site did not cancel it; its state is ${state}. ` +
    "Run again later: the site is asked before anything is sent."
  );
}
