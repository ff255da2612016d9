import { printable } from "../../storage/archive/printable.js";
import type { Module } from "../../core/model/module.js";
import type { FoundPackage } from "../package.js";
import { titleOf } from "./file-name.js";
import type { ImportRun } from "./run.js";

/** What a package becomes at the site. `id`: the module that it is a new version of; null: a module of its own. */
export interface Place {
  readonly id: string | null;
  readonly notes: readonly string[];
  /** Why it can't be decided; empty: it is. */
  readonly refusal: string;
}

/** A package that has to find its place. */
export interface Homeless {
  readonly digest: string;
  readonly module: Module;
  readonly found: FoundPackage;
}

type Rule = (run: ImportRun, homeless: Homeless) => Promise<Place | undefined>;

/** The first rule that says something decides. */
const RULES: readonly Rule[] = [named, fromSamePlace, ofSameTitle];

/** Modules that a text names. */
const FEW = 5;

/** Decides which module a package goes into that no import of this digest is known of. */
export async function whichModule(run: ImportRun, homeless: Homeless): Promise<Place> {
  for (const rule of RULES) {
    const place = await rule(run, homeless);
    if (place !== undefined) return place;
  }
  return { id: null, notes: sameTitle(run, homeless), refusal: "" };
}

/** A list says so. */
async function named(run: ImportRun, { found: { module } }: Homeless): Promise<Place | undefined> {
  if (module === null) return undefined;
  if (await isThere(run, module)) return { id: module, notes: [], refusal: "" };
  const refusal =
    `The list wants it to be a new version of module ${printable(module)}, which the site doesn't list. ` +
    "Correct the list's column module, or leave it empty for a new module.";
  return { id: null, notes: [], refusal };
}

/** A module that the list lacks, since it was never published, is there when a package of ours went into it. */
async function isThere(run: ImportRun, id: string): Promise<boolean> {
  if (run.list.get(id) !== undefined) return true;
  const own = await run.job.journal.ofModule(id);
  return (
    own.length > 0 &&
    !(await run.isGone(
      id,
      own.some(({ state }) => state === "published"),
    ))
  );
}

/** Another content lay at the same place before; or an earlier run decided so and came no further. */
async function fromSamePlace(run: ImportRun, { digest, found }: Homeless): Promise<Place | undefined> {
  const { journal, placeOf } = run.job;
  const own = await journal.row(digest);
  const last = own !== undefined && own.moduleId !== null ? own : await journal.lastFrom(placeOf(found));
  if (last === undefined || last.moduleId === null) return undefined;
  if (await run.isGone(last.moduleId, last.state === "published")) return undefined;
  return { id: last.moduleId, notes: [], refusal: "" };
}

/** `--match title`, among modules that no other package is known to have gone into. */
async function ofSameTitle(run: ImportRun, homeless: Homeless): Promise<Place | undefined> {
  if (run.options.match !== "title") return undefined;
  const { module, found } = homeless;
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

function sameTitle(run: ImportRun, { module, found }: Homeless): readonly string[] {
  const alike = run.list.alike(titleOf(module, found.source)).map(({ id }) => id);
  return alike.length === 0 ? [] : [`The site has another module of this title: ${some(alike)}.`];
}

function some(ids: readonly string[]): string {
  return ids.length <= FEW ? ids.join(", ") : `${ids.slice(0, FEW).join(", ")} and ${ids.length - FEW} more`;
}
