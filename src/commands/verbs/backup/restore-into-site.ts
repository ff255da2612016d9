import type { ConnectedTarget } from "../../compose.js";
import type { ExitCode } from "../../../core/errors.js";
import { restoreElsewhere } from "../../../backup/restore-elsewhere.js";
import type { FillSummary } from "../../../backup/restore-fill.js";
import type { CommandCall } from "../../command.js";
import { finish, finishPlan } from "../finish.js";
import { type Ended, type Session, withWorkspace } from "../session.js";
import { withTarget } from "../sites.js";
import { loadInto, verifyAt } from "../target-steps.js";
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
  { contents, path }: Archives,
  filled: FillSummary,
): Promise<Ended> {
  const loaded = await loadInto(session, connected);
  const verified = await verifyAt(session, connected);
  const { snapshot, manifest } = contents;
  const { again } = session.call;
  return finish(
    session,
    { loaded, verified },
    {
      before: [`Restored from the snapshot ${snapshot} of ${manifest.site.name}.`],
      facts: { snapshot, from: path, filled },
      failed: "the same restore again",
      again: (options) => `${again ?? "guideferry restore …"} ${options}`.trimEnd(),
    },
  );
}
