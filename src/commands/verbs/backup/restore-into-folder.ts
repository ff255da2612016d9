import { existsSync, readdirSync } from "node:fs";
import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import { restoreElsewhere } from "../../../backup/restore-elsewhere.js";
import type { FillSummary } from "../../../backup/restore-fill.js";
import { writeGuideToFolder } from "../../../backup/restore-folder.js";
import { BEFORE_THE_STAMP } from "../../../storage/workspace/layout.js";
import type { CommandCall } from "../../command.js";
import { describeFailures } from "../../output/describe.js";
import { size } from "../../output/describe-backup.js";
import { count } from "../../output/words.js";
import { keepWords } from "../keep-words.js";
import { type Ended, type Session, withWorkspace } from "../session.js";
import { fill, refuseAmongArchives } from "./restore-workspace.js";
import type { Archives } from "./with-archives.js";

/** Restores into a folder: a workspace with the bytes of its media, which a person finds their way in too. */
export async function restoreIntoFolder(call: CommandCall, archives: Archives, folder: string): Promise<ExitCode> {
  const { repository, contents, path } = archives;
  const { snapshot } = contents;
  if (call.settings.dryRun)
    throw new UsageError("--dry-run is about a site: a folder is new, so there is nothing to foresee. Leave it out.");
  refuseAmongArchives(folder, archives);
  await refuseFilled(folder, snapshot);
  const elsewhere = restoreElsewhere(repository, snapshot);
  const details = { snapshot, from: path };
  const plan = { command: "restore", directory: folder, create: true, sites: {}, details, elsewhere } as const;
  return withWorkspace(call, plan, async (session) => {
    const filled = await fill(session, archives, elsewhere, true);
    await writeGuideToFolder(session.workspace, contents);
    return finish(session, archives, filled);
  });
}

/** Throws UsageError unless the folder is new or empty, or a restore of the same snapshot was stopped in it, which goes on then. */
async function refuseFilled(folder: string, snapshot: string): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.every((name) => BEFORE_THE_STAMP.has(name))) return;
  if (names.includes("workspace.json") && (await wasStopped(folder, snapshot))) return;
  throw new UsageError(
    `${folder} is not empty, and nothing in it was touched. Restore into a new folder; into one in which a restore of the same snapshot was stopped, it goes on.`,
  );
}

async function wasStopped(folder: string, snapshot: string): Promise<boolean> {
  const { inspectWorkspace } = await import("../../../storage/workspace/inspect.js");
  const workspace = await inspectWorkspace(folder);
  try {
    const last = workspace.runs.last();
    return last?.command === "restore" && last.details["snapshot"] === snapshot && last.exitCode !== EXIT.ok;
  } finally {
    await workspace.close();
  }
}

async function finish(session: Session, { contents, path }: Archives, filled: FillSummary): Promise<Ended> {
  const { call, workspace } = session;
  const { output } = call;
  const failures = workspace.failures.list();
  const exitCode = failures.length === 0 ? EXIT.ok : EXIT.someFailed;
  output.close();
  for (const failure of failures) output.event("failure", failure);
  const again = "the same command again, from a repaired repository or another snapshot";
  const lines = [
    `Restored from the snapshot ${contents.snapshot} of ${contents.manifest.site.name}: ${count(filled.items, "item")} and ` +
      `${count(filled.media, "media file")} (${size(filled.bytes)}) are in ${workspace.directory}. Its README.txt says what is where.`,
    ...describeFailures(failures, workspace.directory, again),
  ];
  await keepWords(session, lines);
  for (const line of lines) output.say(line);
  output.event("summary", { exitCode, snapshot: contents.snapshot, from: path, ...filled, failures: failures.length });
  return { exitCode, summary: { ...filled, failures: failures.length } };
}
