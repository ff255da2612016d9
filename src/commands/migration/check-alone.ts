import { type ExitCode, UsageError } from "../../core/errors.js";
import type { CommandCall } from "../command.js";
import { readOptionalRepository } from "../location.js";

/**
 * Checks what `verify` was given, if it can be checked by itself: a report, or a repository of
 * backups. undefined: it is neither. Throws UsageError.
 */
export async function checkAlone(call: CommandCall): Promise<ExitCode | undefined> {
  const { readOptionalReport, runCheckReport } = await import("./report-check.js");
  const report = await readOptionalReport(call);
  if (report !== undefined) {
    refuseReport(call, "a report");
    warnOfPage(call, "a report");
    return runCheckReport(call, report);
  }
  const { readOptionalArchive, runVerifyArchive } = await import("../backup/verify-archives.js");
  const archive = readOptionalArchive(call.arguments);
  if (archive !== undefined) {
    refuseReport(call, "an archive of a backup");
    warnOfPage(call, "an archive of a backup");
    return runVerifyArchive(call, archive);
  }
  const repository = await readOptionalRepository(call.arguments);
  if (repository === undefined) return undefined;
  refuseReport(call, "a repository of backups");
  warnOfPage(call, "a repository of backups");
  const { runVerify } = await import("../backup/verify-archives.js");
  return runVerify(call, repository);
}

/** Only runs on a workspace have a page. */
function warnOfPage({ settings, output }: CommandCall, what: string): void {
  if (settings.ui) output.warn(`--ui: without effect here, since ${what} is checked without a workspace.`);
}

/** Somebody who counts on a report must not end without one. Throws UsageError. */
export function refuseReport({ settings }: Pick<CommandCall, "settings">, what: string): void {
  if (settings.verifyReport === null) return;
  throw new UsageError(
    `--report says how a site compares with a workspace, and ${what} is checked here. Leave it out.`,
  );
}
