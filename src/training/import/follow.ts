import type { PackageRow } from "../../core/training.js";
import { endOf } from "./ended.js";
import { type Cause, giveUp } from "./give-up.js";
import { importOf, unknownImport } from "./import-facts.js";
import type { Trip } from "./trip.js";

/** Looks in a row in which the site doesn't know the import, before that is believed. */
const MISSING_IN_A_ROW = 3;

/** `started`: asks how it goes until it ended, its time is over, or the run is asked to stop. */
export async function follow(trip: Trip, row: PackageRow): Promise<PackageRow> {
  const { base, perByte } = trip.run.options.deadline;
  const { clock } = trip.run;
  // From now on, not from the start: a run that takes up an older one gives it all its time.
  const begun = clock.now() - trip.run.stood();
  // A person's pause is no time that the site took.
  const latest = (): number => begun + trip.run.stood() + base + perByte * trip.normalised.contentBytes;
  let missing = 0;
  for (const pause of trip.run.pauses()) {
    const told = await trip.site.progress(importOf(row), trip.signal);
    const end = told === undefined ? undefined : endOf(told);
    if (end !== undefined) return trip.put(row, end);
    missing = told === undefined ? missing + 1 : 0;
    if (missing >= MISSING_IN_A_ROW) return unknownImport(trip, row);
    const cause = causeToEnd(trip, latest());
    if (cause !== null) return giveUp(trip, row, cause);
    await trip.run.pause(Math.min(pause, latest() - clock.now()));
  }
  return row;
}

function causeToEnd(trip: Trip, latest: number): Cause | null {
  if (trip.run.isStopping) return "stop";
  return trip.run.clock.now() >= latest ? "deadline" : null;
}
