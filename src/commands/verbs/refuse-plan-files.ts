import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../../core/errors.js";
import type { Settings } from "../options/table.js";

/**
 * Throws UsageError where a plan or its page can't become the file that is named: found out before a site is read, which may take hours.
 */
export async function refusePlanFiles({ planFile, planHtml }: Pick<Settings, "planFile" | "planHtml">): Promise<void> {
  if (planFile !== null && planHtml !== null && resolve(planFile) === resolve(planHtml)) {
    throw new UsageError(
      `--output and --html both name ${resolve(planFile)}: the page would stand in the place of the plan. Name two files.`,
    );
  }
  await refuseFolder("--output", planFile);
  await refuseFolder("--html", planHtml);
}

async function refuseFolder(option: string, file: string | null): Promise<void> {
  if (file === null || !(await isFolder(file))) return;
  throw new UsageError(`${option} names the folder ${resolve(file)}, and a file is to be written. Name a file.`);
}

/** Whatever else is wrong with a path is told when it is written. */
async function isFolder(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isDirectory() === true;
}
