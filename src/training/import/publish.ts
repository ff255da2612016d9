import { StatusError } from "../../core/errors.js";
import type { PackageRow, PackageState } from "../../core/training.js";
import { printable } from "../../core/util/printable-text.js";
import { draft, findDraft } from "./draft.js";
import { ARRIVED, isRefusal, moduleOf, refusalReason, type Step, type Trip } from "./import-task.js";
import { findRecord, findStart, follow, record, start } from "./start-import.js";

/** Places of use that a note names. */
const FEW = 5;

/** `complete`: makes it what learners see, where that is wanted, after it was read who sees it. */
async function publish(trip: Trip, row: PackageRow): Promise<PackageRow> {
  if (!trip.run.options.publish) return row;
  const newer = await newerVersion(trip, row);
  if (newer !== undefined) {
    trip.notes.push(`Not published: a newer version of module ${moduleOf(row)} came from ${newer.source}.`);
    return row;
  }
  const isRead = await readUsage(trip, row);
  if (isRead instanceof StatusError) {
    const reason = `Imported, but not published, since it can't be read where the module is used. ${refusalReason("to tell it", isRead)}`;
    return trip.end(await trip.put(row, { reason }));
  }
  return publishAgain(trip, await trip.put(row, { state: "publishing", reason: "" }));
}

/**
 * `publishing`: the call may be made again. Where it shall not be, what a killed run left is only
 * looked at.
 */
async function publishAgain(trip: Trip, row: PackageRow): Promise<PackageRow> {
  if (!trip.run.options.publish || (await newerVersion(trip, row)) !== undefined) {
    const isPublished = trip.run.list.get(moduleOf(row))?.currentImport === row.importId;
    return trip.put(row, { state: isPublished ? "published" : "complete" });
  }
  try {
    await trip.site.publish(moduleOf(row), trip.signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // By a call whose answer was lost: some sites have nothing to publish then.
    if (await isCurrent(trip, row)) return trip.put(row, { state: "published" });
    const reason = `Imported, but not published. ${refusalReason("to publish it", error)}`;
    return trip.end(await trip.put(row, { state: "complete", reason }));
  }
  return trip.put(row, { state: "published" });
}

async function isCurrent(trip: Trip, { moduleId, importId }: PackageRow): Promise<boolean> {
  const modules = await trip.site.modules(trip.signal);
  return modules.some((module) => module.id === moduleId && module.currentImport === importId);
}

/** Publishing would show the newer one. */
async function newerVersion(trip: Trip, row: PackageRow): Promise<PackageRow | undefined> {
  const others = await trip.run.job.journal.ofModule(moduleOf(row));
  return others.find(
    ({ digest, state, started }) => digest !== row.digest && started > row.started && ARRIVED.has(state),
  );
}

/** Notes where the module is used; the refusal when the site doesn't tell. */
async function readUsage(trip: Trip, row: PackageRow): Promise<StatusError | undefined> {
  try {
    const places = await trip.site.usage(moduleOf(row), trip.signal);
    if (places.length > 0) trip.notes.push(usedIn(moduleOf(row), places));
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error;
  }
}

function usedIn(module: string, places: readonly string[]): string {
  const shown = places.slice(0, FEW).map((place) => printable(place));
  const more = places.length > FEW ? ` and ${places.length - FEW} more` : "";
  return `Module ${module} is used in: ${shown.join("; ")}${more}.`;
}

const stay: Step = async (_trip, row) => row;

/**
 * What is done next with a package, whether this run brought it so far or an earlier one that was
 * killed: README.md has it as a table.
 */
const STEPS: Readonly<Record<PackageState, Step>> = {
  checked: draft,
  drafting: findDraft,
  drafted: record,
  recording: findRecord,
  recorded: start,
  starting: findStart,
  started: follow,
  complete: publish,
  publishing: publishAgain,
  published: stay,
  failed: stay,
  cancelled: stay,
  unknown: stay,
};

/** Something may run at the site, which a run that stops has to cancel. */
const UNDER_WAY: ReadonlySet<PackageState> = new Set(["starting", "started"]);

/** Takes a package as far as it goes in this run. */
export async function travel(trip: Trip, from: PackageRow): Promise<PackageRow> {
  for (let row = from; ; ) {
    trip.signal.throwIfAborted();
    if (trip.run.isStopping && !UNDER_WAY.has(row.state)) return row;
    const next = await STEPS[row.state](trip, row);
    if (next === row || trip.isOver) return next;
    row = next;
  }
}
