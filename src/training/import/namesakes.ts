import { UsageError } from "../../core/errors.js";
import { halt } from "../../sync/control.js";
import type { FoundPackage } from "../package.js";
import { decide } from "./decide.js";
import type { ImportJob } from "./import-run.js";
import { ImportRun, SiteList, titleOf } from "./import-run.js";

/**
 * Modules of equal titles happen; more than this, or more than half of at least two packages, are
 * another import of the same packages.
 */
const FEW = 3;

/**
 * Throws UsageError where a first import would double modules: no package was imported into this
 * site from this workspace, and more than a few would become new modules of titles that the site
 * has. Reads the packages and the site, and writes nothing.
 */
export async function refuseNamesakeModules(job: ImportJob, packages: readonly FoundPackage[]): Promise<void> {
  if (job.options.match === "title" || !(await isEmpty(job))) return;
  const run = new ImportRun(job, new SiteList(await job.site.modules(job.control.abort)));
  if (run.list.isEmpty) return;
  const named: string[] = [];
  for (const found of packages) {
    halt(job.control);
    const title = await titleThere(run, found);
    if (title !== undefined) named.push(title);
    if (named.length > FEW) break;
  }
  const isSmall = named.length > 1 && 2 * named.length > packages.length;
  if (named.length <= FEW && !isSmall) return;
  const count = named.length > FEW ? `More than ${FEW}` : String(named.length);
  throw new UsageError(
    `${count} of the ${packages.length} packages would become new modules of titles that the site has already (${named.slice(0, FEW).join(", ")}), and this workspace has imported nothing ` +
      "there: they would be there twice. Nothing was written. If an earlier import made them, use its workspace. Else give the same command with --match title, which makes them " +
      "new versions of those modules; or delete those modules at the site (no call of the service does, and `guideferry undo` can't); or import them again with --allow-duplicates.",
  );
}

async function isEmpty({ journal }: ImportJob): Promise<boolean> {
  for await (const _row of journal.rows()) return false;
  return true;
}

/**
 * The title that a package would share with a module of the site; undefined: it would not, or it
 * can't be read, which the import tells.
 */
async function titleThere(run: ImportRun, found: FoundPackage): Promise<string | undefined> {
  const prepared = await run.job.prepare(found, run.ending).catch(() => undefined);
  halt(run.job.control);
  if (prepared === undefined) return undefined;
  try {
    const { action, row } = await decide(run, found, prepared);
    const title = row === null ? "" : titleOf(row.module, found.source);
    return action === "new-module" && run.list.alike(title).length > 0 ? title : undefined;
  } finally {
    await prepared.close();
  }
}
