import type { ConnectedTarget } from "../../../compose.js";
import { EXIT, type ExitCode } from "../../../errors.js";
import { restoreElsewhere } from "../../../pipeline/backup/restore-elsewhere.js";
import type { FillSummary } from "../../../pipeline/backup/restore-fill.js";
import type { LoadSummary } from "../../../pipeline/load.js";
import { writeLossReport } from "../../../pipeline/loss-report.js";
import type { VerifySummary } from "../../../pipeline/verify/verify.js";
import type { CommandCall } from "../../command.js";
import { describeFailures, describeLoad, describeLosses } from "../../output/describe.js";
import { describeVerify } from "../../output/print-verify.js";
import { finishPlan } from "../finish.js";
import { keepWords } from "../keep-words.js";
import { type Ended, type Session, withWorkspace } from "../session.js";
import { withTarget } from "../sites.js";
import { loadInto, verifyAt } from "../target-steps.js";
import { unasked } from "../unasked.js";
import { refuseForgotten } from "./refuse-forgotten.js";
import { fill, workspaceFor } from "./restore-workspace.js";
import type { Archives } from "./with-archives.js";

/** Restores into a site that the snapshot is not of: as a migration, from a workspace that is built from the archives. */
export function restoreIntoSite(call: CommandCall, archives: Archives, root: string): Promise<ExitCode> {
  const { repository, contents, path } = archives;
  const { snapshot } = contents;
  const elsewhere = restoreElsewhere(repository, snapshot);
  const plan = {
    command: "restore",
    directory: workspaceFor(call, archives),
    create: true,
    sites: { target: root },
    details: { snapshot, from: path },
    elsewhere,
  } as const;
  return withWorkspace(call, plan, (session) =>
    withTarget(session, root, async (connected) => {
      // Asked first, so that a wrong token does not come to light after everything was unpacked.
      const survey = await connected.target.survey(call.abort);
      refuseForgotten(session, connected.target, survey);
      // From now on it is known which site this workspace is restored into.
      if (!call.settings.dryRun) session.workspace.ledger(survey.identity);
      const filled = await fill(session, archives, elsewhere, false);
      if (call.settings.dryRun) return finishPlan(session, connected);
      return loadAndVerify(session, connected, archives, filled);
    }),
  );
}

async function loadAndVerify(
  session: Session,
  connected: ConnectedTarget,
  archives: Archives,
  filled: FillSummary,
): Promise<Ended> {
  const loaded = await loadInto(session, connected);
  return finish(session, archives, { filled, loaded, verified: await verifyAt(session, connected) });
}

interface Done {
  readonly filled: FillSummary;
  readonly loaded: LoadSummary;
  readonly verified: VerifySummary;
}

async function finish(session: Session, { contents, path }: Archives, done: Done): Promise<Ended> {
  const { call, workspace } = session;
  const { output, settings } = call;
  const { loaded, verified } = done;
  const ledger = workspace.ledger(loaded.target);
  if (settings.json) for await (const issue of ledger.issues()) output.event("issue", issue);
  const report = await writeLossReport(workspace, ledger);
  const failures = workspace.failures.list().filter(({ target }) => target === null || target === loaded.target.root);
  const lost = report.totals.loss + report.totals.error;
  const open = unasked(session, loaded, report);
  const exitCode = open.length > 0 ? EXIT.someFailed : exitCodeOf(done, failures.length, settings.strict && lost > 0);
  output.close();
  for (const failure of failures) output.event("failure", failure);
  const lines = [
    `Restored from the snapshot ${contents.snapshot} of ${contents.manifest.site.name}.`,
    ...describeLoad(loaded),
    ...describeVerify(verified),
    ...describeLosses(report),
    ...describeFailures(failures, workspace.directory, "the same restore again"),
    ...open,
  ];
  await keepWords(session, lines);
  for (const line of lines) output.say(line);
  const facts = { snapshot: contents.snapshot, from: path, ...done, losses: report.losses, failures: failures.length };
  output.event("summary", { exitCode, ...facts, report: report.file });
  return { exitCode, summary: { ...done, failures: failures.length, losses: report.totals } };
}

function exitCodeOf({ loaded, verified }: Done, failures: number, hasLost: boolean): ExitCode {
  if (failures > 0 || loaded.operations.failed > 0) return EXIT.someFailed;
  if (verified.differences > 0) return EXIT.differences;
  return hasLost ? EXIT.losses : EXIT.ok;
}
