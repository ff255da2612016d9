import type { PackageRow } from "../../core/training.js";
import type { ImportRun } from "./run.js";

/** Engines know activities by the manifest alone, so that such packages may share what learners did (training modules, 1.2 and 6.3). */
export async function alikeNotes(run: ImportRun, row: PackageRow): Promise<readonly string[]> {
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
