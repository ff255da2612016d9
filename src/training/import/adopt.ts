import type { ImportPhase, PackageState, SiteImport, SiteModule } from "../../core/training.js";
import { marker, titleOf } from "./file-name.js";
import { isRefusal } from "./lost-answers.js";
import type { ImportRun } from "./run.js";
import type { Homeless } from "./which-module.js";

/** An import of this very package that is at the site already, made by another workspace, or by this one before it was lost. */
export interface Adopted {
  readonly moduleId: string;
  readonly importId: string;
  readonly state: PackageState;
  readonly warnings: readonly string[];
}

/** Modules that are asked for their imports, for one package. */
const MOST_MODULES = 10;

/** The best of several comes first. */
const STATES: readonly (readonly [ImportPhase, PackageState])[] = [
  ["complete", "complete"],
  ["running", "started"],
  ["created", "recorded"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
];

/**
 * Looks for the package by the digits of its digest, which the name of the sent file has, in the module that it would go into and those of its
 * title. Finds nothing where a site doesn't tell the names of files.
 */
export async function adopt(run: ImportRun, homeless: Homeless, place: string | null): Promise<Adopted | undefined> {
  const alike = run.list.alike(titleOf(homeless.module, homeless.found.source)).map(({ id }) => id);
  const ids = new Set(place === null ? alike : [place, ...alike]);
  for (const id of [...ids].slice(0, MOST_MODULES)) {
    const imports = await importsOf(run, id);
    const own = imports.filter(({ source }) => source?.includes(marker(homeless.digest)) === true);
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
