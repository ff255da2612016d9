import { EXIT, type ExitCode, FerryError } from "../../../core/errors.js";
import { type RunFacts, writeMetrics } from "../../../backup/night/metrics.js";
import type { CommandCall } from "../../command.js";

/**
 * Writes the numbers of a run, where somebody asked for them, and gives the exit code that it ends with. A file that can't be written is a
 * warning: it never hides how the backup itself ended. A run that another one kept out (11) leaves that one's numbers alone.
 */
export async function tellMetrics({ settings, output }: CommandCall, run: RunFacts): Promise<ExitCode> {
  if (settings.metrics === null || run.exitCode === EXIT.locked) return run.exitCode;
  try {
    await writeMetrics(settings.metrics, run);
    return run.exitCode;
  } catch (error) {
    if (!(error instanceof FerryError)) throw error;
    output.warn(
      `The numbers for the monitor could not be written; the backup itself is not touched by that. ${error.message}`,
    );
    return run.exitCode === EXIT.ok ? EXIT.someFailed : run.exitCode;
  }
}
