import type { Module } from "../../core/model/module.js";
import type { ImportPhase, PackageRow, PackageState, SiteImport, SiteModule } from "../../core/training.js";
import { printable } from "../../core/util/printable-text.js";
import type { Action, CheckedPackage, FoundPackage, NormalisedPackage, PreparedPackage } from "../package.js";
import { type ImportRun, marker, titleOf } from "./import-run.js";
import { ARRIVED, isRefusal } from "./import-task.js";

export interface Decision {
  readonly action: Action;
  /** Where it stands; null: nothing of it is known, and nothing is done. */
  readonly row: PackageRow | null;
  /** Is the row not yet, or not so, in the journal? */
  readonly isNew: boolean;
  readonly reason: string;
  readonly notes: readonly string[];
}

interface Candidate extends UnplacedPackage {
  readonly normalised: NormalisedPackage;
}

/**
 * Says what is to be done with a package; the plan and the import ask it alike. Reads the site and
 * the journal and writes neither.
 */
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

/**
 * Does it go on in the module where it is? Not what is only an intention, was refused altogether,
 * or lost its module.
 */
async function goesOn(run: ImportRun, { state, moduleId, importId, isNewVersion }: PackageRow): Promise<boolean> {
  const isOpen = UNBOUND.has(state) && importId === null && (moduleId === null || isNewVersion);
  if (isOpen) return false;
  return moduleId === null || !(await run.isDeleted(moduleId, state === "published"));
}

/** Where the site took nothing of it, it may go elsewhere now. */
const UNBOUND: ReadonlySet<PackageState> = new Set(["checked", "failed", "cancelled"]);

async function decideKnown(run: ImportRun, candidate: Candidate, known: PackageRow): Promise<Decision> {
  const { found } = candidate;
  if (await isReverted(run, found, known)) return freshDecision(run, candidate, known.moduleId, []);
  // A package without a title is called after its place, and a draft that has to be found has the
  // name it was given.
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

/**
 * `isNews`: the journal never heard of it. What it has heard of is not looked for: content put back
 * would be found as it was then.
 */
async function decideUnknown(run: ImportRun, candidate: Candidate, isNews: boolean): Promise<Decision> {
  const place = await whichModule(run, candidate);
  if (place.refusal !== "") return nothing("refused", place.refusal);
  const adopted = isNews ? await adopt(run, candidate, place.id) : undefined;
  if (adopted === undefined) return freshDecision(run, candidate, place.id, place.notes);
  const row: PackageRow = { ...freshRow(run, candidate, adopted.moduleId), ...adopted };
  const action = ARRIVED.has(row.state) ? doneAction(run, row) : "go-on";
  const note = `Import ${adopted.importId} of module ${adopted.moduleId} is this package, as the name of its file says; it is not sent again.`;
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

/**
 * An import of this very package that is at the site already, made by another workspace, or by this
 * one before it was lost.
 */
interface Adopted {
  readonly moduleId: string;
  readonly importId: string;
  readonly state: PackageState;
  readonly warnings: readonly string[];
}

/** Modules that are asked for their imports, for one package. */
const MOST_MODULES = 10;

const STATES: readonly (readonly [ImportPhase, PackageState])[] = [
  ["complete", "complete"],
  ["running", "started"],
  ["created", "recorded"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
];

/**
 * Looks for the package by the digits of its digest, which the name of the sent file has, in the
 * module that it would go into and those of its title. Finds nothing where a site doesn't tell the
 * names of files.
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

/**
 * Engines know activities by the manifest alone, so that such packages may share what learners did
 * (training modules, 1.2 and 6.3).
 */
async function alikeNotes(run: ImportRun, row: PackageRow): Promise<readonly string[]> {
  const alike = await run.job.journal.alike(row);
  // A new version of a module is meant to be alike.
  const others = alike.filter(({ moduleId, place }) => place !== row.place && !isSame(moduleId, row.moduleId));
  return others.map(({ manifestDigest, source }) =>
    manifestDigest === row.manifestDigest
      ? `Its manifest equals that of ${source}, but the content differs: the site may mix what learners did in the two.`
      : `Its manifest has the same identifier as ${source}, but another title: the site may mix what learners did in the two.`,
  );
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && one === other;
}

/**
 * What a package becomes at the site. `id`: the module that it is a new version of; null: a module
 * of its own.
 */
interface Place {
  readonly id: string | null;
  readonly notes: readonly string[];
  /** Why it can't be decided; empty: it is. */
  readonly refusal: string;
}

interface UnplacedPackage {
  readonly digest: string;
  readonly module: Module;
  readonly found: FoundPackage;
}

type Rule = (run: ImportRun, unplaced: UnplacedPackage) => Promise<Place | undefined>;

/** The first rule that says something decides. */
const RULES: readonly Rule[] = [named, fromSamePlace, ofSameTitle];

const FEW = 5;

/** Decides which module a package goes into that no import of this digest is known of. */
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
    `The list wants it to be a new version of module ${printable(module)}, which the site doesn't list. ` +
    "Correct the list's column module, or leave it empty for a new module.";
  return { id: null, notes: [], refusal };
}

/**
 * A module that the list lacks, since it was never published, is there when a package of ours went
 * into it.
 */
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

/**
 * Another content lay at the same place before; or an earlier run decided so and came no further.
 */
async function fromSamePlace(run: ImportRun, { digest, found }: UnplacedPackage): Promise<Place | undefined> {
  const { journal, placeOf } = run.job;
  const own = await journal.row(digest);
  const last = own !== undefined && own.moduleId !== null ? own : await journal.lastFrom(placeOf(found));
  if (last === undefined || last.moduleId === null) return undefined;
  if (await run.isDeleted(last.moduleId, last.state === "published")) return undefined;
  return { id: last.moduleId, notes: [], refusal: "" };
}

/** `--match title`, among modules that no other package is known to have gone into. */
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
    `The site has ${ids.length} modules of this title (${some(ids)}), so it can't be told which one this is a new version of. ` +
    "Name one of them in a list's column module, or run without --match.";
  return { id: null, notes: [], refusal };
}

function sameTitle(run: ImportRun, { module, found }: UnplacedPackage): readonly string[] {
  const alike = run.list.alike(titleOf(module, found.source)).map(({ id }) => id);
  return alike.length === 0 ? [] : [`The site has another module of this title: ${some(alike)}.`];
}

function some(ids: readonly string[]): string {
  return ids.length <= FEW ? ids.join(", ") : `${ids.slice(0, FEW).join(", ")} and ${ids.length - FEW} more`;
}

/** The first error of a refused package as a sentence. */
function refusedReason({ findings, lone }: CheckedPackage): string {
  const errors = findings.filter(({ level }) => level === "error");
  const [first] = errors;
  if (first === undefined) return lone === "manifest-only" ? MANIFEST_ONLY : NOTHING_TO_SEND;
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  const place = first.place === null ? "" : ` in ${first.place}`;
  return `${first.code}${place}: ${first.detail}${more}. ${first.remedy}`;
}

const MANIFEST_ONLY =
  "It is a manifest without the files that it names, so there is nothing to import. Give the package as it was exported.";
const NOTHING_TO_SEND = "Nothing of it can be sent. Give the package as the authoring tool exported it.";
