import { FerryError } from "../../core/errors.js";
import type { PackageRow } from "../../core/training.js";
import { endsRun } from "./lost-answers.js";
import type { Trip } from "./trip.js";

/** Warnings of the site that a result repeats; the journal has them all. */
const FEW = 5;

/** What the site says of an import that is there. */
export async function siteNotes(trip: Trip, row: PackageRow): Promise<readonly string[]> {
  const shown = row.warnings.slice(0, FEW).map((warning) => `The site warns: ${warning}`);
  const more = row.warnings.length > FEW ? [`The site has ${row.warnings.length - FEW} more warnings.`] : [];
  return [...shown, ...more, ...(await previewNote(trip, row))];
}

/** That there is one, without its address, which lets anybody in for a while. cmi5 has none (training modules, 1.2). */
async function previewNote(trip: Trip, { importId, moduleId, module }: PackageRow): Promise<readonly string[]> {
  if (!trip.run.options.preview || module.standard === "cmi5" || importId === null) return [];
  try {
    const address = await trip.site.preview(importId, trip.signal);
    return [
      address === null ? "The site has no preview of it." : `The site has a preview of module ${moduleId ?? ""}.`,
    ];
  } catch (error) {
    if (trip.signal.aborted || !(error instanceof FerryError) || endsRun(error)) throw error;
    return ["The site has no preview of it."];
  }
}
