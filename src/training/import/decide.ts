import type { PackageRow, PackageState } from "../../core/training.js";
import type { FoundPackage, NormalisedPackage, PreparedPackage } from "../package.js";
import type { Action } from "../result.js";
import { adopt } from "./adopt.js";
import { alikeNotes } from "./alike-notes.js";
import { ARRIVED } from "./import-facts.js";
import { refusedReason } from "./refused-reason.js";
import type { ImportRun } from "./run.js";
import { type Homeless, whichModule } from "./which-module.js";

/** What is to be done with a package. */
export interface Decision {
  readonly action: Action;
  /** Where it stands; null: nothing of it is known, and nothing is done. */
  readonly row: PackageRow | null;
  /** Is the row not yet, or not so, in the journal? */
  readonly isNew: boolean;
  readonly reason: string;
  readonly notes: readonly string[];
}

/** A package that may be imported. */
interface Candidate extends Homeless {
  readonly normalised: NormalisedPackage;
}

/** Says what is to be done with a package; the plan and the import ask it alike. Reads the site and the journal and writes neither. */
export async function decide(run: ImportRun, found: FoundPackage, prepared: PreparedPackage): Promise<Decision> {
  const { normalised, checked } = prepared;
  const { module } = checked;
  if (normalised === null || module === null) return nothing("refused", refusedReason(checked));
  const { digest } = normalised;
  const twin = run.seen.get(digest);
  if (twin !== undefined) return nothing("same-as", "", [`It has the same content as ${twin}.`]);
  run.seen.set(digest, found.source);
  const candidate: Candidate = { digest, module, found, normalised };
  const row = await run.job.journal.row(digest);
  if (row !== undefined && (await goesOn(run, row))) return decideKnown(run, candidate, row);
  return decideAnew(run, candidate, row === undefined);
}

function nothing(action: Action, reason: string, notes: readonly string[] = []): Decision {
  return { action, row: null, isNew: false, reason, notes };
}

/** Does it go on in the module where it is? Not what is only an intention, was refused altogether, or lost its module. */
async function goesOn(run: ImportRun, { state, moduleId, importId, isNewVersion }: PackageRow): Promise<boolean> {
  const isOpen = UNBOUND.has(state) && importId === null && (moduleId === null || isNewVersion);
  if (isOpen) return false;
  return moduleId === null || !(await run.isGone(moduleId, state === "published"));
}

/** Where the site took nothing of it, it may go elsewhere now. */
const UNBOUND: ReadonlySet<PackageState> = new Set(["checked", "failed", "cancelled"]);

async function decideKnown(run: ImportRun, candidate: Candidate, known: PackageRow): Promise<Decision> {
  const { found } = candidate;
  if (await isReverted(run, found, known)) return anew(run, candidate, known.moduleId, []);
  // A package without a title is called after its place, and a draft that has to be found has the name it was given.
  const { source } = known.state === "drafting" ? known : found;
  const place = run.job.placeOf(found);
  const row = { ...known, source, place };
  const notes: string[] = [];
  if (found.module !== null && known.moduleId !== null && found.module !== known.moduleId) {
    notes.push(`The same content went into module ${known.moduleId} before; it is not sent into another one.`);
  }
  const isDone = ARRIVED.has(known.state);
  const action = isDone ? doneAction(run, known) : "go-on";
  const reason = isDone ? "" : known.reason;
  return { action, row, isNew: source !== known.source || place !== known.place, reason, notes };
}

function doneAction(run: ImportRun, { state }: PackageRow): Action {
  return run.options.publish && state !== "published" ? "publish" : "unchanged";
}

/** An older content lies again where a newer one came from since: the module has the newer one. */
async function isReverted(run: ImportRun, found: FoundPackage, known: PackageRow): Promise<boolean> {
  if (!ARRIVED.has(known.state)) return false;
  const { journal, placeOf } = run.job;
  const last = await journal.lastFrom(placeOf(found));
  if (last === undefined || last.digest === known.digest || last.moduleId !== known.moduleId) return false;
  return ARRIVED.has(last.state) && last.started > known.started;
}

/** `isNews`: the journal never heard of it. What it has heard of is not looked for: content put back would be found as it was then. */
async function decideAnew(run: ImportRun, candidate: Candidate, isNews: boolean): Promise<Decision> {
  const place = await whichModule(run, candidate);
  if (place.refusal !== "") return nothing("refused", place.refusal);
  const adopted = isNews ? await adopt(run, candidate, place.id) : undefined;
  if (adopted === undefined) return anew(run, candidate, place.id, place.notes);
  const row: PackageRow = { ...freshRow(run, candidate, adopted.moduleId), ...adopted };
  const action = ARRIVED.has(row.state) ? doneAction(run, row) : "go-on";
  const note = `Import ${adopted.importId} of module ${adopted.moduleId} is this package, as the name of its file says; it is not sent again.`;
  return { action, row, isNew: true, reason: "", notes: [note] };
}

async function anew(
  run: ImportRun,
  candidate: Candidate,
  moduleId: string | null,
  notes: readonly string[],
): Promise<Decision> {
  if (moduleId !== null) run.claims.set(moduleId, candidate.found.source);
  const row = freshRow(run, candidate, moduleId);
  const action = moduleId === null ? "new-module" : "new-version";
  return { action, row, isNew: true, reason: "", notes: [...notes, ...(await alikeNotes(run, row))] };
}

function freshRow(run: ImportRun, { normalised, module, found }: Candidate, moduleId: string | null): PackageRow {
  return {
    digest: normalised.digest,
    manifestDigest: normalised.manifestDigest,
    source: found.source,
    place: run.job.placeOf(found),
    module,
    state: "checked",
    moduleId,
    importId: null,
    isNewVersion: moduleId !== null,
    before: [],
    reason: "",
    warnings: [],
    changed: run.clock.now(),
    started: 0,
  };
}
