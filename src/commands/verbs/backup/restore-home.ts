import type { ConnectedTarget } from "../../../compose.js";
import { EXIT, type ExitCode, UsageError } from "../../../errors.js";
import type { InPlaceSummary } from "../../../pipeline/backup/in-place-summary.js";
import { restoreElsewhere } from "../../../pipeline/backup/restore-elsewhere.js";
import { restoreInPlace } from "../../../pipeline/backup/restore-in-place.js";
import type { CommandCall } from "../../command.js";
import { describeFailures } from "../../output/describe.js";
import { describeInPlace, deviationsOf } from "../../output/describe-restore.js";
import { createDifferencePrinter, describeVerify } from "../../output/print-verify.js";
import { selectionOf } from "../selection.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session.js";
import { withTarget } from "../sites.js";
import { workspaceFor } from "./restore-workspace.js";
import { keepPresent } from "./snapshot-first.js";
import type { Archives } from "./with-archives.js";

/** Puts the site that a snapshot is of back to it. */
export function restoreHome(given: CommandCall, archives: Archives, root: string): Promise<ExitCode> {
  const { repository, contents, path } = archives;
  // A page that is there is the one of the snapshot.
  const call: CommandCall = { ...given, settings: { ...given.settings, onExisting: "update" } };
  refuseUnkept(call, archives);
  const plan = {
    command: "restore",
    directory: workspaceFor(call, archives),
    create: true,
    sites: { target: root },
    details: { snapshot: contents.snapshot, from: path },
    elsewhere: restoreElsewhere(repository, contents.snapshot),
  } as const;
  const work = (session: Session) => withTarget(session, root, (site) => putBack(session, site, archives, root), true);
  return withWorkspace(call, plan, work);
}

/** What is overwritten must lie somewhere first. */
function refuseUnkept({ settings }: CommandCall, { isRepository, path }: Archives): void {
  if (isRepository || settings.dryRun || !settings.snapshotFirst) return;
  throw new UsageError(
    `${path} is a single archive of the very site that it would be restored into, so there is no repository that could keep the site as it is now. ` +
      "Give the repository, or back the site up yourself and add --no-snapshot-first.",
  );
}

async function putBack(
  session: Session,
  { target, reader, texts, homeSite }: ConnectedTarget,
  archives: Archives,
  root: string,
): Promise<Ended> {
  const { call, workspace } = session;
  const { settings, output } = call;
  const { dangling, onConflict, dryRun, include } = settings;
  const differences = createDifferencePrinter(output);
  const overwrites = include.length > 0 || onConflict === "update";
  const summary = await restoreInPlace({
    contents: archives.contents,
    workspace,
    target,
    reader,
    texts,
    homeSite,
    options: { selection: selectionOf(settings), overwrites, dryRun, dangling, onConflict },
    control: controlOf(call),
    keepPresent: ({ admin }) => keepPresent(call, archives, root, { publicOnly: !admin }),
    onDifference: differences.print,
  });
  differences.end();
  return finish(session, summary, dryRun);
}

function finish({ call, workspace }: Session, summary: InPlaceSummary, dryRun: boolean): Ended {
  const { output } = call;
  const { verified, target, left, lost, raced } = summary;
  const failures = workspace.failures.list("load").filter(({ target: at }) => at === target.root);
  output.close();
  for (const deviation of deviationsOf(summary)) output.event("plan", deviation);
  for (const failure of failures) output.event("failure", failure);
  for (const line of describeInPlace(summary, dryRun)) output.say(line);
  if (verified !== undefined) for (const line of describeVerify(verified)) output.say(line);
  for (const line of describeFailures(failures, workspace.directory, "the same restore again")) output.say(line);
  const isPart = failures.length + left.length + lost.length + raced.length > 0;
  const exitCode = dryRun ? EXIT.ok : isPart ? EXIT.someFailed : differs(summary) ? EXIT.differences : EXIT.ok;
  const { untouched, items, writes, snapshot, newer } = summary;
  const facts = { snapshot, items, untouched, writes, failures: failures.length, left: left.length };
  output.event("summary", { exitCode, ...facts, newer, verified, dryRun });
  return { exitCode, summary: facts };
}

function differs({ verified }: InPlaceSummary): boolean {
  return (verified?.differences ?? 0) > 0;
}
