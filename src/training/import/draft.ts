import type { PackageRow, PackageState, SiteModule } from "../../core/training.js";
import { foldTitle, type ImportRun, titleOf } from "./import-run.js";
import { attempt, endOf, type ImportTask, importOf, refusalReason, sentence } from "./import-task.js";
import { cancelAndAsk } from "./start-import.js";

/** `checked`: makes the module, or a new draft of the one that it is a new version of. */
export async function draft(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  task.throwIfLostTooOften("draft");
  if (row.moduleId !== null) await supersede(task.run, row.moduleId, row);
  return task.run.making(async () => {
    const before = row.moduleId === null ? task.run.list.alike(task.title).map(({ id }) => id) : [];
    const drafting = await task.put(row, { state: "drafting", before });
    return row.moduleId === null
      ? createModule(task, row, drafting)
      : openDraft(task, row.moduleId, { checked: row, drafting });
  });
}

/** `drafting`: nobody knows whether the call arrived. */
export async function findDraft(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  const { moduleId } = row;
  return task.run.making(() =>
    moduleId === null
      ? recoverDraft(task, row)
      : openDraft(task, moduleId, { checked: { ...row, state: "checked" }, drafting: row }),
  );
}

async function openDraft(
  task: ImportTask,
  module: string,
  { checked, drafting }: { readonly checked: PackageRow; readonly drafting: PackageRow },
): Promise<PackageRow> {
  for (;;) {
    const outcome = await attempt(task, "draft", checked, () => task.site.openDraft(module, task.title, task.signal));
    if (outcome.kind === "done") return task.put(drafting, { state: "drafted" });
    if (outcome.kind === "refused") {
      const reason = refusalReason(`a new version of module ${module}`, outcome.error);
      return task.put(drafting, { state: "failed", reason });
    }
    task.throwIfLostTooOften("draft");
  }
}

async function createModule(task: ImportTask, checked: PackageRow, row: PackageRow): Promise<PackageRow> {
  const { title } = task;
  const outcome = await attempt(task, "draft", checked, () => task.site.createModule(title, task.signal));
  if (outcome.kind === "lost") return recoverDraft(task, row);
  if (outcome.kind === "refused") {
    return task.put(row, { state: "failed", before: [], reason: refusalReason("a new module", outcome.error) });
  }
  const drafted = await task.put(row, { state: "drafted", moduleId: outcome.value, before: [] });
  task.run.list.add({ id: outcome.value, title, currentImport: null });
  task.hasFreshModule = true;
  await learnListsDrafts(task, outcome.value);
  return drafted;
}

async function learnListsDrafts(task: ImportTask, id: string): Promise<void> {
  const { journal } = task.run.job;
  if ((await journal.listsDrafts()) !== undefined) return;
  const { found, isConclusive } = await lookForModule(task.run, id);
  if (!isConclusive) return;
  await journal.learnListsDrafts(found.some(({ title }) => foldTitle(title) === foldTitle(task.title)));
}

async function recoverDraft(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  const { journal } = task.run.job;
  const known = await journal.listsDrafts();
  if (known === false) return task.put(row, { state: "unknown", reason: hiddenModule(task, "the site doesn't list") });
  const { found, isConclusive } = await lookForDraft(task.run, row, task.graceEnd(row));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) {
    if (known === undefined) await journal.learnListsDrafts(true);
    return task.put(row, { state: "drafted", moduleId: only.id, before: [] });
  }
  if (only !== undefined) return task.put(row, { state: "unknown", reason: severalModules(found) });
  if (!isConclusive) return row;
  if (known) return task.put(row, { state: "checked", before: [] });
  if (task.isLast)
    return task.put(row, { state: "unknown", reason: hiddenModule(task, "perhaps the site doesn't list") });
  // Another package's draft may teach whether this one would be listed.
  task.isPostponed = true;
  return row;
}

function hiddenModule({ run, row, title }: ImportTask, itLists: string): string {
  const loss = run.losses.get(row.digest);
  const why = loss instanceof Error ? ` (${sentence(loss.message)})` : "";
  return (
    `The answer to the making of the module "${title}" was lost${why}, and ${itLists} modules that were never published, so nobody can tell ` +
    "whether it is there. Nothing more was sent. Look for it among the drafts at the site, delete it if it is there, and run again with --retry-unknown."
  );
}

function severalModules(modules: readonly SiteModule[]): string {
  return (
    `The answer to the making of the module was lost, and ${modules.length} empty modules of its title are new since: ` +
    `${modules.map(({ id }) => id).join(", ")}. Nothing more was sent. Delete all of them but one, and run again with --retry-unknown.`
  );
}

const REASON = "Other content lay in its place before it was imported.";

type Supersede = (run: ImportRun, row: PackageRow) => Promise<Partial<PackageRow> | undefined>;

const notSent: Supersede = async () => ({ state: "cancelled", importId: null, reason: REASON });

/** What may run at the site would end after the newer content, which then were the older one. */
const SUPERSEDES: Readonly<Partial<Record<PackageState, Supersede>>> = {
  drafted: notSent,
  recording: notSent,
  recorded: notSent,
  starting: cancelled,
  started: cancelled,
};

/**
 * Ends the imports that a killed run left of the content that lay in the package's place before.
 */
async function supersede(run: ImportRun, moduleId: string, row: PackageRow): Promise<void> {
  for (const other of await run.job.journal.ofModule(moduleId)) {
    if (other.digest === row.digest || other.place !== row.place) continue;
    const changes = await SUPERSEDES[other.state]?.(run, other);
    if (changes !== undefined) await run.put(other, { before: [], ...changes });
  }
}

async function cancelled(run: ImportRun, row: PackageRow): Promise<Partial<PackageRow> | undefined> {
  const reported = await cancelAndAsk(run, importOf(row));
  if (reported?.phase === "cancelled") return { state: "cancelled", reason: REASON };
  return reported === undefined ? undefined : endOf(reported);
}

/**
 * What the list showed. `isConclusive`: the list was read for the whole grace time; a run that
 * stops may not wait.
 */
interface ListSearch {
  readonly found: readonly SiteModule[];
  readonly isConclusive: boolean;
}

/**
 * Looks for the module of a row whose making got no answer: new in the list, of our title, empty,
 * and no other package's.
 */
export function lookForDraft(run: ImportRun, row: PackageRow, until: number): Promise<ListSearch> {
  return look(run, until, (modules) => candidates(run, row, modules));
}

function lookForModule(run: ImportRun, id: string): Promise<ListSearch> {
  const until = run.clock.now() + run.options.graceTime;
  return look(run, until, async (modules) => modules.filter((module) => module.id === id));
}

/** Looks at the list until something is found, at least once and up to a time. */
async function look(
  run: ImportRun,
  until: number,
  find: (modules: readonly SiteModule[]) => Promise<readonly SiteModule[]>,
): Promise<ListSearch> {
  const { site, control } = run.job;
  for (const pause of run.pauses()) {
    const modules = await site.modules(control.abort);
    run.list.replace(modules);
    const found = await find(modules);
    const left = until - run.clock.now();
    if (found.length > 0 || left <= 0) return { found, isConclusive: true };
    if (run.isStopping) break;
    await run.pause(Math.min(pause, left));
  }
  return { found: [], isConclusive: false };
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
