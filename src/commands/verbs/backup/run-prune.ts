import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PERIODS, type Retention } from "../../../archive/repository/retention.js";
import { EXIT, type ExitCode } from "../../../errors.js";
import { holdRepository } from "../../../pipeline/backup/night/hold-repository.js";
import { type PruneParts, prune } from "../../../pipeline/backup/prune.js";
import type { CommandCall } from "../../command.js";
import type { Settings } from "../../options/table.js";
import { printPruned } from "../../output/print-prune.js";
import { encryptionOf, keysOf } from "./encryption-of.js";

/** Removes what the --keep options don't keep. */
export async function runPrune(call: CommandCall, folder: string): Promise<ExitCode> {
  const { settings, output } = call;
  const plain: PruneParts = {
    folder,
    retention: retentionOf(settings),
    dryRun: settings.dryRun,
    compact: null,
    madeBy: `guideferry ${call.version}`,
    signal: call.stop,
  };
  const held = settings.dryRun
    ? undefined
    : await holdRepository(folder, { command: "guideferry prune", create: false });
  // Titles are sorted in there while a snapshot is written anew.
  const scratch = settings.compact ? await mkdtemp(join(tmpdir(), "guideferry-prune-")) : null;
  try {
    const compact =
      scratch === null
        ? null
        : { scratch, keys: await keysOf(call), encryption: await encryptionOf(call, { passphrase: true }) };
    printPruned(await prune({ ...plain, compact }), output);
    return EXIT.ok;
  } finally {
    held?.release();
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }
}

/** What the --keep options say; nothing kept where none is given. */
export function retentionOf({ keepLast, keepDaily, keepWeekly, keepMonthly, keepYearly }: Settings): Retention {
  const asked = { last: keepLast, daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly, yearly: keepYearly };
  return Object.fromEntries(PERIODS.map((period) => [period, asked[period] ?? 0])) as unknown as Retention;
}
