import { FerryError } from "../../core/errors.js";
import type { PackageRow, PackageState } from "../../core/training.js";
import type { CheckedPackage, FoundPackage, NormalisedPackage, PreparedPackage } from "../package.js";
import { unreadablePackage } from "../report/unreadable-package.js";
import type { PackageResult } from "../result.js";
import { type Decision, decide } from "./decide.js";
import { travel } from "./journey.js";
import type { PlaceInLine } from "./line.js";
import { endsRun } from "./lost-answers.js";
import { sentence } from "./reasons.js";
import { siteNotes } from "./result-notes.js";
import type { ImportRun } from "./run.js";
import { takeUp } from "./take-up.js";
import { Trip } from "./trip.js";

/** What came of one package. */
export interface Outcome {
  readonly result: PackageResult;
  /** What keeps it from being there, or published, as it was wanted; null: nothing, or it is refused. */
  readonly failure: unknown;
  /** It has to wait for what other packages teach; nothing is to be told of it yet. */
  readonly isPostponed: boolean;
}

/** A package that is looked at, in a run. */
export interface Turn {
  readonly found: FoundPackage;
  readonly prepared: PreparedPackage;
  /** Packages are decided on in the order in which they were found. */
  readonly place: PlaceInLine;
  /** No other package comes after it that could teach anything. */
  readonly isLast: boolean;
}

const THERE: ReadonlySet<PackageState> = new Set(["complete", "published"]);
const STOPPED = "The run was stopped before it was there. Run again: it goes on from where it stands.";

/** Takes one package as far as it goes. Throws only what ends the run. */
export async function importOne(run: ImportRun, turn: Turn): Promise<Outcome> {
  const { checked } = turn.prepared;
  try {
    const decision = await decideAndNote(run, turn);
    const { row } = decision;
    const { normalised } = turn.prepared;
    if (row === null || normalised === null) return settled(resultOf(checked, decision));
    if (decision.action === "unchanged" && THERE.has(row.state)) return settled(resultOf(checked, decision));
    const go = (): Promise<Outcome> => goOn(run, turn, decision, { row, normalised });
    // Versions of one module come one after the other.
    return row.moduleId === null ? await go() : await run.mutex.run(`module ${row.moduleId}`, go);
  } catch (error) {
    if (run.job.control.abort.aborted || endsRun(error)) throw error;
    const digest = turn.prepared.normalised?.digest ?? null;
    const decision: Decision = { action: "go-on", row: null, isNew: false, reason: reasonOf(error), notes: [] };
    return { result: { ...resultOf(checked, decision), digest }, failure: error, isPostponed: false };
  }
}

/** What one package claims, the next one has to see. */
function decideAndNote(run: ImportRun, { found, prepared, place }: Turn): Promise<Decision> {
  return place.enter(async () => {
    const decision = await decide(run, found, prepared);
    if (decision.row === null || !decision.isNew) return decision;
    return { ...decision, row: await run.put(decision.row, {}) };
  });
}

interface Start {
  readonly row: PackageRow;
  readonly normalised: NormalisedPackage;
}

async function goOn(run: ImportRun, turn: Turn, decision: Decision, { row, normalised }: Start): Promise<Outcome> {
  const { found, isLast } = turn;
  const from = await takeUp(run, row);
  const trip = new Trip(run, { found, normalised, isLast, wasUnknown: row.state === "unknown", row: from });
  try {
    return await ended(trip, turn, decision, await travel(trip, from));
  } catch (error) {
    if (trip.signal.aborted || endsRun(error)) throw error;
    const reason = run.isStopping ? STOPPED : reasonOf(error);
    const result = resultOf(turn.prepared.checked, { ...decision, row: trip.row, reason }, trip.notes);
    return { result, failure: error, isPostponed: false };
  } finally {
    await trip.removeArchive();
  }
}

async function ended(trip: Trip, { prepared }: Turn, decision: Decision, row: PackageRow): Promise<Outcome> {
  const { isStopping } = trip.run;
  const reason = row.reason !== "" || THERE.has(row.state) || !isStopping ? row.reason : STOPPED;
  const notes = THERE.has(row.state) && !isStopping ? await siteNotes(trip, row) : [];
  const result = resultOf(prepared.checked, { ...decision, row, reason }, [...trip.notes, ...notes]);
  return { result, failure: reason === "" ? null : new FerryError(reason), isPostponed: trip.isPostponed };
}

function settled(result: PackageResult): Outcome {
  return { result, failure: null, isPostponed: false };
}

/** What a plan tells of a package, and an import of one that it has nothing to do with. */
export function resultOf(
  checked: CheckedPackage,
  { action, row, reason, notes }: Decision,
  more: readonly string[] = [],
): PackageResult {
  return {
    checked,
    digest: row?.digest ?? null,
    action,
    state: row?.state ?? null,
    moduleId: row?.moduleId ?? null,
    importId: row?.importId ?? null,
    reason,
    notes: [...notes, ...more],
  };
}

/** A package that can't even be looked at. */
export function unprepared({ source }: FoundPackage, error: unknown): PackageResult {
  const reason = reasonOf(error);
  const checked = unreadablePackage(source, reason);
  return resultOf(checked, { action: "refused", row: null, isNew: false, reason, notes: [] });
}

function reasonOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error));
}
