import { StatusError } from "../../core/errors.js";
import type { PackageRow } from "../../core/training.js";
import { attempt } from "./attempt.js";
import { moduleOf } from "./import-facts.js";
import { refusalReason } from "./reasons.js";
import type { Trip } from "./trip.js";

/** `drafted`: makes the record that the bytes are sent to. */
export async function record(trip: Trip, row: PackageRow): Promise<PackageRow> {
  trip.refuseOneMore("record");
  return making(trip, row, async () => {
    const before = trip.hasFreshModule ? [] : await importIds(trip, moduleOf(row));
    trip.hasFreshModule = false;
    const recording = await trip.put(row, { state: "recording", before });
    return createImport(trip, row, recording);
  });
}

/** `recording`: nobody knows whether the call arrived. */
export async function findRecord(trip: Trip, row: PackageRow): Promise<PackageRow> {
  return making(trip, row, () => lookForRecord(trip, row));
}

/** Somebody may have deleted the module: one of our own is made anew by the next run, one that was given can't have a new version. */
async function making(trip: Trip, row: PackageRow, work: () => Promise<PackageRow>): Promise<PackageRow> {
  try {
    return await trip.run.making(work);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 404) throw error;
    const reason = refusalReason(`an import into module ${moduleOf(row)}`, error);
    return trip.put(row, { state: "failed", moduleId: null, isNewVersion: false, before: [], reason });
  }
}

async function createImport(trip: Trip, drafted: PackageRow, row: PackageRow): Promise<PackageRow> {
  const module = moduleOf(row);
  const outcome = await attempt(trip, "record", drafted, () => trip.site.createImport(module, trip.signal));
  if (outcome.kind === "lost") return lookForRecord(trip, row);
  if (outcome.kind === "done") return trip.put(row, { state: "recorded", importId: outcome.value, before: [] });
  if (outcome.error.status === 404) throw outcome.error;
  const remedy = "Look whether the module is still there and has an open draft, and run again.";
  const reason = refusalReason(`an import into module ${module}`, outcome.error, remedy);
  return trip.put(row, { state: "failed", before: [], reason });
}

/**
 * A record of the module that was not there before and that no other package has is ours. A record that was never given bytes is no import,
 * so that another one may be made where none shows up.
 */
async function lookForRecord(trip: Trip, row: PackageRow): Promise<PackageRow> {
  const until = trip.settledAt(row);
  for (const pause of trip.run.pauses()) {
    const found = await newRecords(trip, row);
    const [only, ...more] = found;
    if (only !== undefined && more.length === 0) {
      return trip.put(row, { state: "recorded", importId: only, before: [] });
    }
    if (only !== undefined) return trip.put(row, { state: "unknown", reason: severalRecords(row, found) });
    const left = until - trip.run.clock.now();
    if (left <= 0) return trip.put(row, { state: "drafted", before: [] });
    if (trip.run.isStopping) break;
    await trip.run.pause(Math.min(pause, left));
  }
  return row;
}

async function newRecords(trip: Trip, row: PackageRow): Promise<readonly string[]> {
  const module = moduleOf(row);
  const others = (await trip.run.job.journal.ofModule(module)).map(({ importId }) => importId);
  const known = new Set<string | null>([...row.before, ...others]);
  return (await importIds(trip, module)).filter((id) => !known.has(id));
}

async function importIds(trip: Trip, module: string): Promise<readonly string[]> {
  return (await trip.site.imports(module, trip.signal)).map(({ id }) => id);
}

function severalRecords(row: PackageRow, ids: readonly string[]): string {
  return (
    `The answer to the making of an import of module ${moduleOf(row)} was lost, and several imports are new since: ${ids.join(", ")}. ` +
    "Nothing more was sent. Look at the module's imports at the site, and run again with --retry-unknown if none of them is this package."
  );
}
