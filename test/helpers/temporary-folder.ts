import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "guideferry-test-"));
  onTestFinished(() => removeFolder(directory));
  return directory;
}

/** A killed process, or a run that was cut off, may still write into it for a moment. */
export function removeFolder(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
