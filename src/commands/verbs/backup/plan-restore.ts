import { type ExitCode, UsageError } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import { runRestore } from "./run-restore.js";
import { readArchives } from "./with-archives.js";

/** What a restore of a repository into a site would do: the restore itself, without a write. Throws what it throws. */
export function planRestore(call: CommandCall, repository: string, site: string): Promise<ExitCode> {
  if (call.settings.detailedExitcode) {
    throw new UsageError(
      "--detailed-exitcode is for migrations. The plan of a restore says how many writes it would take, with --json as a number.",
    );
  }
  return runRestore({ ...call, settings: { ...call.settings, dryRun: true } }, readArchives(repository), site);
}
