import { ConnectionError, StatusError } from "../../core/errors.js";
import type { PackageRow } from "../../core/training.js";
import { type Attempt, attempt } from "./attempt.js";
import { giveUp } from "./give-up.js";
import { importOf, unknownImport } from "./import-facts.js";
import { packageRefusal } from "./reasons.js";
import type { Trip } from "./trip.js";

/** Refusals of a start that say something of the record, not of the package: it may run already. */
const PERHAPS_STARTED: ReadonlySet<number> = new Set([409]);
/** The same when this start is not the first one. */
const PERHAPS_STARTED_BEFORE: ReadonlySet<number> = new Set([400, 409, 422]);

/** `recorded`: sends the bytes, or the address of a package that the site can fetch. */
export async function start(trip: Trip, row: PackageRow): Promise<PackageRow> {
  trip.refuseOneMore("start");
  const call = await startCall(trip, row);
  const starting = await trip.put(row, { state: "starting", started: trip.run.clock.now() });
  const outcome = await startOnce(trip, row, call);
  if (outcome.kind === "done") return trip.put(starting, { state: "started" });
  if (outcome.kind === "lost") return findStart(trip, starting);
  // Started before, or by a start whose answer was lost in an earlier run: then it is no wonder.
  const isSecond = row.started > 0;
  if (!(isSecond ? PERHAPS_STARTED_BEFORE : PERHAPS_STARTED).has(outcome.error.status)) {
    return refuse(trip, starting, outcome.error);
  }
  const told = await trip.site.progress(importOf(row), trip.signal);
  if (told?.phase === "created") return refuse(trip, starting, outcome.error);
  return trip.put(starting, { state: "started" });
}

/** `starting`: nobody knows whether it runs. What is still only a record after a while was never started. */
export async function findStart(trip: Trip, row: PackageRow): Promise<PackageRow> {
  const until = trip.startSettledAt(row);
  for (const pause of trip.run.pauses()) {
    const told = await trip.site.progress(importOf(row), trip.signal);
    if (told !== undefined && told.phase !== "created") return trip.put(row, { state: "started" });
    if (trip.run.isStopping) return giveUp(trip, row, "stop");
    const left = until - trip.run.clock.now();
    if (left <= 0) return told === undefined ? unknownImport(trip, row) : trip.put(row, { state: "recorded" });
    await trip.run.pause(Math.min(pause, left));
  }
  return row;
}

/** What has to be written to the disk for it is written before the row says that the call is made. */
async function startCall(trip: Trip, row: PackageRow): Promise<() => Promise<void>> {
  const { found, normalised, run, site } = trip;
  const { url } = found;
  if (run.options.startByUrl && url !== null && normalised.isAsGiven) {
    return () => site.startByUrl(importOf(row), url, run.ending);
  }
  const upload = await trip.archive();
  return () => site.startByUpload(importOf(row), upload, run.ending);
}

/** A start that a stop cuts off may have arrived: it is lost, and then cancelled at the site. */
function startOnce(trip: Trip, row: PackageRow, call: () => Promise<void>): Promise<Attempt<void>> {
  return attempt(trip, "start", row, async () => {
    try {
      await call();
    } catch (error) {
      if (!trip.run.isStopping || trip.signal.aborted || error instanceof StatusError) throw error;
      throw new ConnectionError("The start of the import was cut off, since the run was asked to stop.", {
        cause: error,
      });
    }
  });
}

async function refuse(trip: Trip, row: PackageRow, error: StatusError): Promise<PackageRow> {
  return trip.put(row, { state: "failed", reason: packageRefusal(error) });
}
