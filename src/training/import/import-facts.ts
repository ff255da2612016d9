import type { PackageRow, PackageState } from "../../core/training.js";
import type { Trip } from "./trip.js";

/** Its content is at the site. */
export const ARRIVED: ReadonlySet<PackageState | null> = new Set(["complete", "publishing", "published"]);

/** Every row from `drafted` on has one; the site knows none that is empty. */
export function moduleOf(row: PackageRow): string {
  return row.moduleId ?? "";
}

/** Every row from `recorded` on has one; the site knows none that is empty. */
export function importOf(row: PackageRow): string {
  return row.importId ?? "";
}

/** The site has no such import any more. Without a word of its own nobody can tell what became of it. */
export async function unknownImport(trip: Trip, row: PackageRow): Promise<PackageRow> {
  if (trip.wasUnknown && trip.run.options.retryUnknown)
    return trip.put(row, { state: "drafted", importId: null, started: 0 });
  const reason =
    `The site doesn't know the import ${importOf(row)} of module ${moduleOf(row)} any more, so nobody can tell what became of it. ` +
    "Look at the module at the site; run again with --retry-unknown to import it once more.";
  return trip.put(row, { state: "unknown", reason });
}
