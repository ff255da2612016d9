import type { PackageRow, PackageState, SiteModule } from "../../core/training.js";
import { foldTitle, type ImportRun, titleOf } from "./import-run.js";
import { attempt, endOf, type ImportTask, importOf, refusalReason, sentence } from "./import-task.js";
import { cancelAndAsk } from "./start-import.js";

/** `checked`: creates the module, or a draft of the one that gets a new version. */
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

/** `drafting`: it is unknown whether the call arrived. */
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
  if (known === false) return task.put(row, { state: "unknown", reason: hiddenModule(task, "the site does not list") });
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
    return task.put(row, { state: "unknown", reason: hiddenModule(task, "perhaps the site does not list") });
  // The draft of another package can show whether the site lists drafts.
  task.isPostponed = true;
  return row;
}

function hiddenModule({ run, row, title }: ImportTask, itLists: string): string {
  const loss = run.losses.get(row.digest);
  const why = loss instanceof Error ? ` (${sentence(loss.message)})` : "";
  return (
    `guideferry sent the request to create the module "${title}" and got no usable answer${why}. It is unknown whether the module exists, since ${itLists} modules that were never published. ` +
    "Nothing more was sent. Look for the module among the drafts on the site, delete it if it exists, and run the same command again with --retry-unknown."
  );
}

function severalModules(modules: readonly SiteModule[]): string {
  return (
    `guideferry sent the request to create the module and got no usable answer. Since then, the site has ${modules.length} new empty modules with its title: ` +
    `${modules.map(({ id }) => id).join(", ")}. Nothing more was sent. Delete all of them except one, and run the same command again with --retry-unknown.`
  );
}

const REASON = "The file was replaced with other content before the import was complete.";

type Supersede = (run: ImportRun, row: PackageRow) => Promise<Partial<PackageRow> | undefined>;

const notSent: Supersede = async () => ({ state: "cancelled", importId: null, reason: REASON });

/** An import that still runs could end after the newer content and replace it. */
const SUPERSEDES: Readonly<Partial<Record<PackageState, Supersede>>> = {
  drafted: notSent,
  recording: notSent,
  recorded: notSent,
  starting: cancelled,
  started: cancelled,
};

/** Cancels imports of a killed run whose content was at the same place before. */
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

interface ListSearch {
  readonly found: readonly SiteModule[];
  /** The list was read for the whole grace time; false: the run stops and does not wait. */
  readonly isConclusive: boolean;
}

/**
 * Searches for the module of a row whose create got no answer: new in the list, with the same
 * title, without imports, and not of another package.
 */
export function lookForDraft(run: ImportRun, row: PackageRow, until: number): Promise<ListSearch> {
  return look(run, until, (modules) => candidates(run, row, modules));
}

function lookForModule(run: ImportRun, id: string): Promise<ListSearch> {
  const until = run.clock.now() + run.options.graceTime;
  return look(run, until, async (modules) => modules.filter((module) => module.id === id));
}

/** Reads the list, at least once and until `until`, until a module is found. */
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
