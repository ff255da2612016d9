import { join } from "node:path";
import { EXIT, type ExitCode, UsageError } from "../../../errors.js";
import type { Thoroughness } from "../../../pipeline/backup/verify/repository-check.js";
import { sampleOf, verifyRepository } from "../../../pipeline/backup/verify/verify-repository.js";
import { describeHolder, lockHolder } from "../../../workspace/lock.js";
import type { CommandCall } from "../../command.js";
import { readPassphrase } from "../../options/credentials.js";
import type { Settings } from "../../options/table.js";
import { printRepositoryCheck } from "../../output/print-repository-check.js";
import { keysOf } from "./encryption-of.js";

/** Checks a repository, tells what is hit and what is whole, and ends with 6 when anything is damaged. */
export async function runVerify(call: CommandCall, folder: string): Promise<ExitCode> {
  const { output, settings, environment } = call;
  const thoroughness = thoroughnessOf(settings);
  const hasKeys = settings.identity.length > 0 || readPassphrase(environment) !== null;
  const { openRepository } = await import("../../../archive/repository/read/open-repository.js");
  const repository = await openRepository(folder, { keys: await keysOf(call) });
  try {
    const holder = lockHolder(join(folder, "lock"));
    if (holder !== undefined) {
      output.warn(
        `Another run is at work on this repository: ${describeHolder(holder)}. What it takes away or has not ended may show as damage.`,
      );
    }
    const watch = (done: number, total: number, bytes: number): void =>
      output.progress({ stage: "verify", done, total, bytes, failed: 0 });
    const check = await verifyRepository(repository, { thoroughness, hasKeys, signal: call.stop, watch });
    output.close();
    const exitCode = check.damaged ? EXIT.differences : EXIT.ok;
    printRepositoryCheck(folder, check, exitCode, output);
    return exitCode;
  } finally {
    await repository.close();
  }
}

function thoroughnessOf({ sample, structure }: Settings): Thoroughness {
  if (sample !== null && structure)
    throw new UsageError("--structure reads no contents, --sample reads some. Give one of them.");
  if (structure) return { kind: "structure" };
  return sample === null ? { kind: "bytes" } : sampleOf(sample, new Date());
}
