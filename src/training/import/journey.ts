import type { PackageRow, PackageState } from "../../core/training.js";
import { draft, findDraft } from "./draft.js";
import { follow } from "./follow.js";
import { publish, publishAgain } from "./publish.js";
import { findRecord, record } from "./record.js";
import { findStart, start } from "./start.js";
import type { Step, Trip } from "./trip.js";

const stay: Step = async (_trip, row) => row;

/** What is done next with a package, whether this run brought it so far or an earlier one that was killed: README.md has it as a table. */
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
