import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a process has used in its whole life. */
export interface Usage {
  /** The most memory that it ever held. */
  readonly peakBytes: number;
  readonly cpuMilliseconds: number;
}

const REPORTER = new URL("report-usage.mjs", import.meta.url).href;

/**
 * Lets a child process that runs node with this environment tell what it has used, when it has
 * ended.
 */
export function usageReport(folder: string): {
  readonly environment: Readonly<Record<string, string>>;
  read(): Promise<Usage>;
} {
  const file = join(folder, "usage.json");
  return {
    environment: { NODE_OPTIONS: `--import=${REPORTER}`, USAGE_REPORT: file },
    read: async () => JSON.parse(await readFile(file, "utf8")) as Usage,
  };
}
