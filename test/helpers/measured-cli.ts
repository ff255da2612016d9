import { type CliOptions, type CliResult, startCli } from "./run-cli.js";
import { type Usage, usageReport } from "./usage-report.js";

export type { Usage } from "./usage-report.js";

/**
 * Runs guideferry to its end in a test, and tells what that took. `folder`: of the test, for the
 * report.
 */
export async function measuredCli(
  words: readonly string[],
  folder: string,
  environment: NonNullable<CliOptions["environment"]>,
): Promise<CliResult & Usage> {
  const usage = usageReport(folder);
  const result = await startCli(words, { environment: { ...usage.environment, ...environment } }).ended;
  return { ...result, ...(await usage.read()) };
}
