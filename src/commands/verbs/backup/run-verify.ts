import { join } from "node:path";
import { noteProven, noteTurn } from "../../../storage/repository/proven.js";
import type { OpenRepository } from "../../../storage/repository/read/open-repository.js";
import { ArchiveError, EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import type { RepositoryCheck, Thoroughness } from "../../../backup/verify/repository-check.js";
import { turnOf } from "../../../backup/verify/turn-of.js";
import { sharesOf, verifyRepository } from "../../../backup/verify/verify-repository.js";
import { describeHolder, lockHolder } from "../../../storage/workspace/lock.js";
import type { CommandCall } from "../../command.js";
import { readPassphrase } from "../../options/credentials.js";
import type { Settings } from "../../options/table.js";
import type { Output } from "../../output/output.js";
import { printRepositoryCheck } from "../../output/print-repository-check.js";
import { keysOf } from "./encryption-of.js";
import { siteBeside } from "./with-archives.js";

/** Checks a repository, tells what is hit and what is whole, and ends with 6 when anything is damaged, or a medium came cut short. */
export async function runVerify(call: CommandCall, folder: string): Promise<ExitCode> {
  const { output, settings, environment } = call;
  if (settings.sample !== null && settings.structure)
    throw new UsageError("--structure reads no contents, --sample reads some. Give one of them.");
  const hasKeys = settings.identity.length > 0 || readPassphrase(environment) !== null;
  const { openRepository } = await import("../../../storage/repository/read/open-repository.js");
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
    const thoroughness = await thoroughnessOf(settings, folder);
    const salvageFrom = { site: await siteBeside(folder), workspace: join(folder, "workspace") };
    const check = await verifyRepository(repository, {
      ...{ thoroughness, hasKeys, salvageFrom },
      signal: call.stop,
      watch,
    });
    output.close();
    await note(repository, check, output);
    const exitCode = check.damaged || check.short.some(({ confirmed }) => !confirmed) ? EXIT.differences : EXIT.ok;
    // A folder that lost everything looks like one that was never written to.
    if (check.snapshots.length === 0 && !check.damaged) throw nothingThere(folder);
    printRepositoryCheck(folder, check, exitCode, output);
    return exitCode;
  } finally {
    await repository.close();
  }
}

/** What was read need not be read again before a prune; but a repository that can't be written is checked all the same. */
async function note(
  repository: OpenRepository,
  { proven, thoroughness }: RepositoryCheck,
  output: Output,
): Promise<void> {
  try {
    await noteProven(repository.folder, proven, [...repository.snapshots(), ...repository.repairs()], new Date());
    if (thoroughness.kind === "sample") await noteTurn(repository.folder, thoroughness);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    output.note(`What was read could not be noted, so a prune will read it again. ${error.message}`);
  }
}

async function thoroughnessOf({ sample, structure }: Settings, folder: string): Promise<Thoroughness> {
  if (structure) return { kind: "structure" };
  if (sample === null) return { kind: "bytes" };
  const of = sharesOf(sample);
  return { kind: "sample", of, turn: await turnOf(folder, of, new Date()) };
}

function nothingThere(folder: string): ArchiveError {
  return new ArchiveError(
    `${folder} has no snapshot: nothing can be restored from it. If there were some, bring the folder back from where it is copied to; \`guideferry backup SITE --to ${folder}\` begins anew.`,
    { exitCode: EXIT.notFound },
  );
}
