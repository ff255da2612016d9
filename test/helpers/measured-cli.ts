import { type CliOptions, type CliResult, runCli } from "./run-cli.js";
import { type Usage, usageReport } from "./usage-report.js";

export type { Usage } from "./usage-report.js";

/** Runs guideferry to its end in a test, and tells what that took. `folder`: of the test, for the report. */
export async function measuredCli(
  words: readonly string[],
  folder: string,
  environment: NonNullable<CliOptions["environment"]>,
): Promise<CliResult & Usage> {
  const usage = usageReport(folder);
  const result = await runCli(words, { environment: { ...usage.environment, ...environment } });
  return { ...result, ...(await usage.read()) };
}
