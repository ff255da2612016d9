import type { PackageRow, SiteModule } from "../../core/training.js";
import { titleOf } from "./file-name.js";
import type { ImportRun } from "./run.js";
import { foldTitle } from "./site-list.js";

/** What the list showed. `isSettled`: it was looked at for as long as it takes; a run that stops may not wait. */
export interface Sighting {
  readonly found: readonly SiteModule[];
  readonly isSettled: boolean;
}

/** Looks for the module of a row whose making got no answer: new in the list, of our title, empty, and no other package's. */
export function lookForDraft(run: ImportRun, row: PackageRow, until: number): Promise<Sighting> {
  return look(run, until, (modules) => candidates(run, row, modules));
}

/** Looks whether the list shows a module that was just made. */
export function lookForModule(run: ImportRun, id: string): Promise<Sighting> {
  const until = run.clock.now() + run.options.settle;
  return look(run, until, async (modules) => modules.filter((module) => module.id === id));
}

/** Looks at the list until something is found, at least once and up to a time. */
async function look(
  run: ImportRun,
  until: number,
  find: (modules: readonly SiteModule[]) => Promise<readonly SiteModule[]>,
): Promise<Sighting> {
  const { site, control } = run.job;
  for (const pause of run.pauses()) {
    const modules = await site.modules(control.abort);
    run.list.replace(modules);
    const found = await find(modules);
    const left = until - run.clock.now();
    if (found.length > 0 || left <= 0) return { found, isSettled: true };
    if (run.isStopping) break;
    await run.pause(Math.min(pause, left));
  }
  return { found: [], isSettled: false };
}

async function candidates(
  run: ImportRun,
  row: PackageRow,
  modules: readonly SiteModule[],
): Promise<readonly SiteModule[]> {
  const { journal, site, control } = run.job;
  const title = foldTitle(titleOf(row.module, row.source));
  const before = new Set(row.before);
  const found: SiteModule[] = [];
  for (const module of modules) {
    const isNew = !before.has(module.id) && module.currentImport === null;
    if (!isNew || foldTitle(module.title) !== title) continue;
    if ((await journal.ofModule(module.id)).length > 0) continue;
    if ((await site.imports(module.id, control.abort)).length === 0) found.push(module);
  }
  return found;
}
