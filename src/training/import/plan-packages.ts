import { parallel } from "../../core/util/parallel.js";
import { halt } from "../../sync/halt.js";
import type { FoundPackage, PreparedPackage } from "../package.js";
import type { PackageResult } from "../result.js";
import { decide } from "./decide.js";
import { resultOf, unprepared } from "./import-one.js";
import { DEFAULT_CONCURRENCY, type ImportJob, type ImportSummary } from "./job.js";
import type { PlaceInLine } from "./line.js";
import { ImportRun } from "./run.js";
import { SiteList } from "./site-list.js";
import { Tally } from "./tally.js";

/**
 * Tells what an import would do with each package, by the same code that decides there. Writes nothing, neither to the site nor to the journal.
 * Throws what reading the site throws.
 */
export async function planPackages(job: ImportJob, packages: AsyncIterable<FoundPackage>): Promise<ImportSummary> {
  const { control } = job;
  const run = new ImportRun(job, new SiteList(await job.site.modules(control.abort)));
  const tally = new Tally();
  let done = 0;
  await parallel(packages, control.concurrency ?? DEFAULT_CONCURRENCY, async (found) => {
    halt(control);
    const result = await planOne(run, found);
    tally.count(result, false);
    await job.tell(result);
    done += 1;
    control.progress({ done, failed: 0, source: found.source });
  });
  return { ...tally.summary(), imported: 0, published: 0 };
}

async function planOne(run: ImportRun, found: FoundPackage): Promise<PackageResult> {
  const place = run.line.take();
  try {
    const prepared = await run.job.prepare(found, run.ending).catch((error: unknown) => {
      halt(run.job.control);
      return unprepared(found, error);
    });
    return "close" in prepared ? await planPrepared(run, found, prepared, place) : prepared;
  } finally {
    place.leave();
  }
}

async function planPrepared(
  run: ImportRun,
  found: FoundPackage,
  prepared: PreparedPackage,
  place: PlaceInLine,
): Promise<PackageResult> {
  try {
    const result = resultOf(prepared.checked, await place.enter(() => decide(run, found, prepared)));
    // A row that only the plan has: nothing of it is at the site.
    return result.state === "checked" ? { ...result, state: null } : result;
  } finally {
    await prepared.close();
  }
}
