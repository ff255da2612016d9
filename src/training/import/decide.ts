import type { Module } from "../../core/model/module.js";
import type { ImportPhase, PackageRow, PackageState, SiteImport, SiteModule } from "../../core/training.js";
import { printable } from "../../core/util/printable-text.js";
import type { Action, CheckedPackage, FoundPackage, NormalisedPackage, PreparedPackage } from "../package.js";
import { type ImportRun, marker, titleOf } from "./import-run.js";
import { ARRIVED, isRefusal } from "./import-task.js";

export interface Decision {
  readonly action: Action;
  /** The row of the package; null: unknown package, and nothing to do. */
  readonly row: PackageRow | null;
  /** Must the row be written to the journal? */
  readonly isNew: boolean;
  readonly reason: string;
  readonly notes: readonly string[];
}

interface Candidate extends UnplacedPackage {
  readonly normalised: NormalisedPackage;
}

/** Decides what to do with a package, for plan and import. Writes neither to site nor journal. */
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
  return decideUnknown(run, candidate, row === undefined);
}

function nothing(action: Action, reason: string, notes: readonly string[] = []): Decision {
  return { action, row: null, isNew: false, reason, notes };
}

/** Does the package stay in its module? Not if nothing was sent, or the module was deleted. */
async function goesOn(run: ImportRun, { state, moduleId, importId, isNewVersion }: PackageRow): Promise<boolean> {
  const isOpen = UNBOUND.has(state) && importId === null && (moduleId === null || isNewVersion);
  if (isOpen) return false;
  return moduleId === null || !(await run.isDeleted(moduleId, state === "published"));
}

/** States in which the site has nothing of it, so it can go into another module. */
const UNBOUND: ReadonlySet<PackageState> = new Set(["checked", "failed", "cancelled"]);

async function decideKnown(run: ImportRun, candidate: Candidate, known: PackageRow): Promise<Decision> {
  const { found } = candidate;
  if (await isReverted(run, found, known)) return freshDecision(run, candidate, known.moduleId, []);
  // The title can come from the source, so a draft to find keeps its old source.
  const { source } = known.state === "drafting" ? known : found;
  const place = run.job.placeOf(found);
  const row = { ...known, source, place };
  const notes: string[] = [];
  if (found.module !== null && known.moduleId !== null && found.module !== known.moduleId) {
    notes.push(
      `This content was already imported into module ${known.moduleId}; guideferry does not send it into another module.`,
    );
  }
  const isDone = ARRIVED.has(known.state);
  const action = isDone ? doneAction(run, known) : "go-on";
  const reason = isDone ? "" : known.reason;
  return { action, row, isNew: source !== known.source || place !== known.place, reason, notes };
}

function doneAction(run: ImportRun, { state }: PackageRow): Action {
  return run.options.publish && state !== "published" ? "publish" : "unchanged";
}

/** Was an older content put back, after a newer one from the same place was imported? */
async function isReverted(run: ImportRun, found: FoundPackage, known: PackageRow): Promise<boolean> {
  if (!ARRIVED.has(known.state)) return false;
  const { journal, placeOf } = run.job;
  const last = await journal.lastFrom(placeOf(found));
  if (last === undefined || last.digest === known.digest || last.moduleId !== known.moduleId) return false;
  return ARRIVED.has(last.state) && last.started > known.started;
}

/**
 * @param isUnknown the journal has no row of it. Others are not searched on the site, which would
 * find the old import of content that was put back.
 */
async function decideUnknown(run: ImportRun, candidate: Candidate, isUnknown: boolean): Promise<Decision> {
  const place = await whichModule(run, candidate);
  if (place.refusal !== "") return nothing("refused", place.refusal);
  const adopted = isUnknown ? await adopt(run, candidate, place.id) : undefined;
  if (adopted === undefined) return freshDecision(run, candidate, place.id, place.notes);
  const row: PackageRow = { ...freshRow(run, candidate, adopted.moduleId), ...adopted };
  const action = ARRIVED.has(row.state) ? doneAction(run, row) : "go-on";
  const note = `Import ${adopted.importId} of module ${adopted.moduleId} is this package, by the name of its file; guideferry does not send it again.`;
  return { action, row, isNew: true, reason: "", notes: [note] };
}

async function freshDecision(
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

/** An import of the same package by another workspace, or by a lost one. */
interface Adopted {
  readonly moduleId: string;
  readonly importId: string;
  readonly state: PackageState;
  readonly warnings: readonly string[];
}

const MOST_MODULES = 10;

const STATES: readonly (readonly [ImportPhase, PackageState])[] = [
  ["complete", "complete"],
  ["running", "started"],
  ["created", "recorded"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
];

/**
 * Searches the target module and the modules with the same title for a file name with the digits of
 * the digest. Finds nothing on a site that doesn't report file names.
 */
async function adopt(run: ImportRun, unplaced: UnplacedPackage, place: string | null): Promise<Adopted | undefined> {
  const alike = run.list.alike(titleOf(unplaced.module, unplaced.found.source)).map(({ id }) => id);
  const ids = new Set(place === null ? alike : [place, ...alike]);
  for (const id of [...ids].slice(0, MOST_MODULES)) {
    const imports = await importsOf(run, id);
    const own = imports.filter(({ source }) => source?.includes(marker(unplaced.digest)) === true);
    const adopted = best(own, run.list.get(id) ?? { id, title: "", currentImport: null });
    if (adopted !== undefined) return adopted;
  }
  return undefined;
}

async function importsOf(run: ImportRun, id: string): Promise<readonly SiteImport[]> {
  try {
    return await run.job.site.imports(id, run.job.control.abort);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [];
  }
}

function best(imports: readonly SiteImport[], { id: moduleId, currentImport }: SiteModule): Adopted | undefined {
  for (const [phase, state] of STATES) {
    const found = imports.findLast((one) => one.phase === phase);
    if (found === undefined) continue;
    const isCurrent = state === "complete" && found.id === currentImport;
    return { moduleId, importId: found.id, state: isCurrent ? "published" : state, warnings: found.warnings };
  }
  return undefined;
}

/** Engines identify activities by the manifest only (training modules, 1.2 and 6.3). */
async function alikeNotes(run: ImportRun, row: PackageRow): Promise<readonly string[]> {
  const alike = await run.job.journal.alike(row);
  const others = alike.filter(({ moduleId, place }) => place !== row.place && !isSame(moduleId, row.moduleId));
  return others.map(({ manifestDigest, source }) =>
    manifestDigest === row.manifestDigest
      ? `Its manifest equals that of ${source}, but the content differs. The site may mix the learner records of the two.`
      : `Its manifest has the same identifier as ${source}, but another title. The site may mix the learner records of the two.`,
  );
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && one === other;
}

interface Place {
  /** The module that it becomes a new version of; null: a new module. */
  readonly id: string | null;
  readonly notes: readonly string[];
  readonly refusal: string;
}

interface UnplacedPackage {
  readonly digest: string;
  readonly module: Module;
  readonly found: FoundPackage;
}

type Rule = (run: ImportRun, unplaced: UnplacedPackage) => Promise<Place | undefined>;

const RULES: readonly Rule[] = [named, fromSamePlace, ofSameTitle];

const FEW = 5;

async function whichModule(run: ImportRun, unplaced: UnplacedPackage): Promise<Place> {
  for (const rule of RULES) {
    const place = await rule(run, unplaced);
    if (place !== undefined) return place;
  }
  return { id: null, notes: sameTitle(run, unplaced), refusal: "" };
}

async function named(run: ImportRun, { found: { module } }: UnplacedPackage): Promise<Place | undefined> {
  if (module === null) return undefined;
  if (await isThere(run, module)) return { id: module, notes: [], refusal: "" };
  const refusal =
    `The list gives module ${printable(module)} for a new version, but the site does not list this module. ` +
    "Correct the column module of the list, or leave it empty for a new module.";
  return { id: null, notes: [], refusal };
}

/** An unpublished module, which the list can lack, exists if a package was imported into it. */
async function isThere(run: ImportRun, id: string): Promise<boolean> {
  if (run.list.get(id) !== undefined) return true;
  const own = await run.job.journal.ofModule(id);
  return (
    own.length > 0 &&
    !(await run.isDeleted(
      id,
      own.some(({ state }) => state === "published"),
    ))
  );
}

/** The module of the package that was at the same place before, or that an earlier run decided. */
async function fromSamePlace(run: ImportRun, { digest, found }: UnplacedPackage): Promise<Place | undefined> {
  const { journal, placeOf } = run.job;
  const own = await journal.row(digest);
  const last = own !== undefined && own.moduleId !== null ? own : await journal.lastFrom(placeOf(found));
  if (last === undefined || last.moduleId === null) return undefined;
  if (await run.isDeleted(last.moduleId, last.state === "published")) return undefined;
  return { id: last.moduleId, notes: [], refusal: "" };
}

/** `--match title`, among modules without another package. */
async function ofSameTitle(run: ImportRun, unplaced: UnplacedPackage): Promise<Place | undefined> {
  if (run.options.match !== "title") return undefined;
  const { module, found } = unplaced;
  const ids: string[] = [];
  for (const { id } of run.list.alike(titleOf(module, found.source))) {
    const isClaimed = run.claims.has(id) || (await run.job.journal.ofModule(id)).length > 0;
    if (!isClaimed) ids.push(id);
  }
  if (ids.length < 2) return ids.map((id) => ({ id, notes: [], refusal: "" }))[0];
  const refusal =
    `The site has ${ids.length} modules with this title (${some(ids)}), so guideferry cannot decide which one gets the new version. ` +
    "Give one of them in the column module of a list, or run without --match.";
  return { id: null, notes: [], refusal };
}

function sameTitle(run: ImportRun, { module, found }: UnplacedPackage): readonly string[] {
  const alike = run.list.alike(titleOf(module, found.source)).map(({ id }) => id);
  return alike.length === 0 ? [] : [`The site has another module with this title: ${some(alike)}.`];
}

function some(ids: readonly string[]): string {
  return ids.length <= FEW ? ids.join(", ") : `${ids.slice(0, FEW).join(", ")} and ${ids.length - FEW} more`;
}

function refusedReason({ findings, lone }: CheckedPackage): string {
  const errors = findings.filter(({ level }) => level === "error");
  const [first] = errors;
  if (first === undefined) return lone === "manifest-only" ? MANIFEST_ONLY : NOTHING_TO_SEND;
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  const place = first.place === null ? "" : ` in ${first.place}`;
  return `${first.code}${place}: ${first.detail}${more}. ${first.remedy}`;
}

const MANIFEST_ONLY =
  "It is a manifest without its files, so there is nothing to import. Give the whole package as the authoring tool exported it.";
const NOTHING_TO_SEND = "It has no usable content. Give the package as the authoring tool exported it.";
