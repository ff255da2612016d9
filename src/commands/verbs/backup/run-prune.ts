import { PERIODS, type Retention } from "../../../storage/repository/retention.js";
import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import { holdRepository } from "../../../backup/night/hold-repository.js";
import { type PruneParts, prune } from "../../../backup/prune.js";
import { scratchFolder } from "../../../core/util/scratch-folder.js";
import type { CommandCall } from "../../command.js";
import type { Settings } from "../../options/table.js";
import { size } from "../../output/describe-backup.js";
import { printPruned } from "../../output/print-prune.js";
import { count } from "../../output/words.js";
import { encryptionOf, keysOf } from "./encryption-of.js";

/** Removes what the --keep options don't keep. */
export async function runPrune(call: CommandCall, folder: string): Promise<ExitCode> {
  const { settings, output } = call;
  if (settings.drop !== null && settings.compact)
    throw new UsageError("--drop removes one snapshot and writes none anew. Give it without --compact.");
  const plain: PruneParts = {
    folder,
    retention: retentionOf(settings),
    drop: settings.drop ?? undefined,
    dryRun: settings.dryRun,
    compact: null,
    keys: await keysOf(call),
    madeBy: `guideferry ${call.version}`,
    signal: call.stop,
    watch: watchReading(call),
  };
  const held = settings.dryRun
    ? undefined
    : await holdRepository(folder, { command: "guideferry prune", create: false });
  // Titles are sorted in there while a snapshot is written anew.
  const scratch = settings.compact ? await scratchFolder("prune") : null;
  try {
    const compact =
      scratch === null
        ? null
        : {
            scratch: scratch.path,
            keys: await keysOf(call),
            encryption: await encryptionOf(call, { passphrase: true }),
          };
    printPruned(await prune({ ...plain, compact }), output);
    return EXIT.ok;
  } finally {
    held?.release();
    await scratch?.remove();
  }
}

/** Says how much is read before anything is removed, and how far that is. */
export function watchReading({ output }: CommandCall): NonNullable<PruneParts["watch"]> {
  return (done, total, bytes, totalBytes) => {
    if (done === 0 && total > 0)
      output.note(
        `Before anything is removed ${count(total, "archive")} that stay, ${size(totalBytes)}, are read and hashed.`,
      );
    else if (total > 0) output.progress({ stage: "verify", done, total, bytes, failed: 0 });
  };
}

/** What the --keep options say; nothing kept where none is given. */
export function retentionOf({ keepLast, keepDaily, keepWeekly, keepMonthly, keepYearly }: Settings): Retention {
  const asked = { last: keepLast, daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly, yearly: keepYearly };
  return Object.fromEntries(PERIODS.map((period) => [period, asked[period] ?? 0])) as unknown as Retention;
}
