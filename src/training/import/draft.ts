import type { PackageRow, SiteModule } from "../../core/training.js";
import { attempt } from "./attempt.js";
import { lookForDraft, lookForModule } from "./look-for-draft.js";
import { refusalReason, sentence } from "./reasons.js";
import { foldTitle } from "./site-list.js";
import { supersede } from "./supersede.js";
import type { Trip } from "./trip.js";

/** `checked`: makes the module, or a new draft of the one that it is a new version of. */
export async function draft(trip: Trip, row: PackageRow): Promise<PackageRow> {
  trip.refuseOneMore("draft");
  if (row.moduleId !== null) await supersede(trip.run, row.moduleId, row);
  return trip.run.making(async () => {
    const before = row.moduleId === null ? trip.run.list.alike(trip.title).map(({ id }) => id) : [];
    const drafting = await trip.put(row, { state: "drafting", before });
    return row.moduleId === null
      ? createModule(trip, row, drafting)
      : openDraft(trip, row.moduleId, { checked: row, drafting });
  });
}

/** `drafting`: nobody knows whether the call arrived. */
export async function findDraft(trip: Trip, row: PackageRow): Promise<PackageRow> {
  const { moduleId } = row;
  return trip.run.making(() =>
    moduleId === null
      ? settleDraft(trip, row)
      : openDraft(trip, moduleId, { checked: { ...row, state: "checked" }, drafting: row }),
  );
}

/** A draft of a module that exists; it may be opened again. */
async function openDraft(
  trip: Trip,
  module: string,
  { checked, drafting }: { readonly checked: PackageRow; readonly drafting: PackageRow },
): Promise<PackageRow> {
  for (;;) {
    const outcome = await attempt(trip, "draft", checked, () => trip.site.openDraft(module, trip.title, trip.signal));
    if (outcome.kind === "done") return trip.put(drafting, { state: "drafted" });
    if (outcome.kind === "refused") {
      const reason = refusalReason(`a new version of module ${module}`, outcome.error);
      return trip.put(drafting, { state: "failed", reason });
    }
    trip.refuseOneMore("draft");
  }
}

async function createModule(trip: Trip, checked: PackageRow, row: PackageRow): Promise<PackageRow> {
  const { title } = trip;
  const outcome = await attempt(trip, "draft", checked, () => trip.site.createModule(title, trip.signal));
  if (outcome.kind === "lost") return settleDraft(trip, row);
  if (outcome.kind === "refused") {
    return trip.put(row, { state: "failed", before: [], reason: refusalReason("a new module", outcome.error) });
  }
  const drafted = await trip.put(row, { state: "drafted", moduleId: outcome.value, before: [] });
  trip.run.list.add({ id: outcome.value, title, currentImport: null });
  trip.hasFreshModule = true;
  await learn(trip, outcome.value);
  return drafted;
}

/** Finds out, once for each site, whether it lists what was never published. */
async function learn(trip: Trip, id: string): Promise<void> {
  const { journal } = trip.run.job;
  if ((await journal.listsDrafts()) !== undefined) return;
  const { found, isSettled } = await lookForModule(trip.run, id);
  if (!isSettled) return;
  await journal.learnListsDrafts(found.some(({ title }) => foldTitle(title) === foldTitle(trip.title)));
}

async function settleDraft(trip: Trip, row: PackageRow): Promise<PackageRow> {
  const { journal } = trip.run.job;
  const known = await journal.listsDrafts();
  if (known === false) return trip.put(row, { state: "unknown", reason: hiddenModule(trip, "the site doesn't list") });
  const { found, isSettled } = await lookForDraft(trip.run, row, trip.settledAt(row));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) {
    if (known === undefined) await journal.learnListsDrafts(true);
    return trip.put(row, { state: "drafted", moduleId: only.id, before: [] });
  }
  if (only !== undefined) return trip.put(row, { state: "unknown", reason: severalModules(found) });
  if (!isSettled) return row;
  if (known) return trip.put(row, { state: "checked", before: [] });
  if (trip.isLast)
    return trip.put(row, { state: "unknown", reason: hiddenModule(trip, "perhaps the site doesn't list") });
  // Another package's draft may teach whether this one would be listed.
  trip.isPostponed = true;
  return row;
}

function hiddenModule({ run, row, title }: Trip, itLists: string): string {
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
