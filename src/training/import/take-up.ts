import type { PackageRow, PackageState } from "../../core/training.js";
import type { ImportRun } from "./run.js";

type TakeUp = (run: ImportRun, row: PackageRow) => Promise<PackageRow>;

/** Where a run begins with what an earlier one left at a dead end; everything else goes on from where it stands. */
const TAKE_UPS: Readonly<Partial<Record<PackageState, TakeUp>>> = {
  failed: async (run, row) => run.put(row, afresh(run, row)),
  cancelled: async (run, row) => run.put(row, afresh(run, row)),
  unknown: takeUpUnknown,
};

/** Gives the row to go on from. */
export async function takeUp(run: ImportRun, row: PackageRow): Promise<PackageRow> {
  return (await TAKE_UPS[row.state]?.(run, row)) ?? row;
}

/** Another import of the same module, in a draft of its own where the last one was published or is somebody else's. */
function afresh({ list }: ImportRun, { isNewVersion, moduleId }: PackageRow): Partial<PackageRow> {
  const isPublished = moduleId !== null && (list.get(moduleId)?.currentImport ?? null) !== null;
  const state = isNewVersion || isPublished ? "checked" : "drafted";
  return { state, importId: null, before: [], reason: "", warnings: [], started: 0 };
}

/** The site is asked before anything is sent; what it can't be asked for waits until somebody takes the risk. */
async function takeUpUnknown(run: ImportRun, row: PackageRow): Promise<PackageRow> {
  if (row.importId !== null) return run.put(row, { state: "starting", reason: "" });
  if (!run.options.retryUnknown) return row;
  if (row.moduleId !== null) return run.put(row, afresh(run, row));
  const listsDrafts = await run.job.journal.listsDrafts();
  return run.put(row, { state: listsDrafts === true ? "drafting" : "checked", reason: "" });
}
