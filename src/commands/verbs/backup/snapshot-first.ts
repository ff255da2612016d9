import { beforeRestore } from "../../../storage/repository/before-restore.js";
import { EXIT, FerryError } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import { defaultSettings, type Settings } from "../../options/table.js";
import type { Output } from "../../output/output.js";
import type { PresentPlan } from "./plan-present.js";

/**
 * Takes a snapshot of the site as it is now, before a restore changes it. What vanished since the last one is no reason to stop: it may be why
 * something is restored. Throws FerryError when the snapshot does not come to be.
 */
export async function keepPresent(call: CommandCall, plan: PresentPlan, site: string, seen: Seen): Promise<void> {
  call.output.note("First a snapshot of the site as it is now …");
  const { runBackup } = await import("./run-backup.js");
  const exitCode = await runBackup(asBackup(call, plan, seen), site);
  if (exitCode === EXIT.ok) return;
  if (exitCode !== EXIT.someFailed)
    throw new FerryError("The site as it is now could not be kept, so nothing was restored.", { exitCode });
  call.output.warn(
    "The snapshot of the present is incomplete: what failed is listed above, and would be overwritten all the same.",
  );
}

/** What the account of the restore sees. */
interface Seen {
  readonly publicOnly: boolean;
}

/** The call of a backup with the account of the restore. */
function asBackup(call: CommandCall, plan: PresentPlan, seen: Seen): CommandCall {
  const { credentials, output } = call;
  return {
    ...call,
    version: beforeRestore(call.version),
    environment: plan.environment,
    settings: ownSettings(call.settings, plan, seen),
    given: new Set(["workspace"]),
    credentials: () => credentials("target"),
    output: quieter(output),
  };
}

/** No limit: however long the chain is, what comes before a restore is no occasion to write everything anew. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER;

/**
 * How the site is talked to and read is as it was said. What variables and files say of the nights is not for here: a rule of what is kept would remove
 * the very snapshot that is restored.
 */
function ownSettings(settings: Settings, plan: PresentPlan, { publicOnly }: Seen): Settings {
  const { json, quiet, verbose, debug, progress } = settings;
  const { rate, targetRate, mediaRate, concurrency, maxFailures, insecureHttp, identity } = settings;
  const { allowPrivateMedia, imageDetails, format, languages, personalData, partSize } = settings;
  return {
    ...defaultSettings(),
    ...{ json, quiet, verbose, debug, progress },
    ...{ rate, sourceRate: targetRate, mediaRate, concurrency, maxFailures, insecureHttp, identity },
    // The workspace of the nights may be at work: read in another way, everything in it would look changed.
    ...{ allowPrivateMedia, imageDetails, format, languages, personalData, partSize },
    repository: plan.folder,
    encryptTo: plan.encryptTo,
    workspace: plan.workspace,
    maxDeletions: { share: 1 },
    fullEvery: NEVER_FULL,
    publicOnly,
  };
}

/** Its end is not the end of the restore. */
function quieter(output: Output): Output {
  return {
    ...output,
    event: (type, facts) => (type === "summary" ? undefined : output.event(type, facts)),
    say: (text) => output.note(text),
  };
}
