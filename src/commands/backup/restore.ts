import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { type FillSummary, restoreElsewhere, writeGuideToFolder } from "../../backup/restore/fill-workspace.js";
import type { Survey, Target } from "../../core/contracts.js";
import { EXIT, UsageError, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { isLoopback } from "../../service/http/address.js";
import { BEFORE_THE_STAMP } from "../../storage/workspace/layout.js";
import { lastLoad } from "../../storage/workspace/target-registry.js";
import { userStateFolder } from "../../storage/workspace/user-state-folder.js";
import type { CommandCall } from "../command.js";
import type { ConnectedTarget } from "../compose.js";
import { isAddress, readFolder, readSite } from "../location.js";
import { describeFailures } from "../output/describe.js";
import { count, size } from "../output/words.js";
import type { FolderFacts, OtherSiteFacts, PlanFacts, RestoreResult } from "../results.js";
import { type Ended, keepSummary, type Session, withWorkspace } from "../session/session.js";
import { siteOf, talkOf, withTarget } from "../session/sites.js";
import { type Archives, fill, refuseAmongArchives, withArchives, workspaceFor } from "./archives.js";

export function runRestore(call: CommandCall, path: string, goal: string): Promise<RestoreResult> {
  return withArchives(call, path, async (archives) => {
    if (!isAddress(goal)) return restoreIntoFolder(call, archives, readFolder(goal));
    const root = readSite(goal, call.settings.insecureHttp);
    const { site } = archives.contents.manifest;
    const signedIn = root === site.root ? withSourceSignIn(call) : call;
    if (!(await isOriginSite(signedIn, site, root))) return restoreIntoSite(signedIn, archives, root);
    const { restoreToOrigin } = await import("./restore-in-place.js");
    return restoreToOrigin(signedIn, archives, root);
  });
}

/** The sign-in that the backup of this address used, where the target has none of its own. */
function withSourceSignIn(call: CommandCall): CommandCall {
  if (call.credentials("target").kind !== "none" || call.credentials("source").kind === "none") return call;
  call.output.note("Signing in with GUIDEFERRY_SOURCE_…, as the backup did: GUIDEFERRY_TARGET_… is not set.");
  return { ...call, credentials: () => call.credentials("source") };
}

/** The plan of a restore into a site: the restore itself, without a write. */
export function planRestore(call: CommandCall, repository: string, site: string): Promise<RestoreResult> {
  if (call.settings.detailedExitcode) {
    throw new UsageError(
      "--detailed-exitcode is only for migrations. The plan of a restore shows the number of writes, with --json as a number. Leave the option out.",
    );
  }
  return runRestore({ ...call, settings: { ...call.settings, dryRun: true } }, repository, site);
}

async function restoreIntoFolder(call: CommandCall, archives: Archives, folder: string): Promise<RestoreResult> {
  const { repository, contents, path } = archives;
  const { snapshot } = contents;
  if (call.settings.dryRun)
    throw new UsageError(
      "--dry-run is only for a restore into a site, because a folder is new or empty. Leave it out.",
    );
  refuseAmongArchives(folder, archives);
  await refuseFilled(folder, snapshot);
  const elsewhere = restoreElsewhere(repository, snapshot);
  const details = { snapshot, from: path };
  const plan = { command: "restore", directory: folder, create: true, sites: {}, details, elsewhere } as const;
  return withWorkspace(call, plan, async (session) => {
    const filled = await fill(session, archives, elsewhere, true);
    await writeGuideToFolder(session.workspace, contents);
    return finishFolder(session, archives, filled);
  });
}

/** Throws UsageError unless the folder is new, empty, or of a stopped restore of this snapshot. */
async function refuseFilled(folder: string, snapshot: string): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.every((name) => BEFORE_THE_STAMP.has(name))) return;
  if (names.includes("workspace.json") && (await wasStopped(folder, snapshot))) return;
  throw new UsageError(
    `${folder} is not empty, and nothing in it was changed. Restore into a new folder, or into the folder of a stopped restore of the same snapshot.`,
  );
}

async function wasStopped(folder: string, snapshot: string): Promise<boolean> {
  const { inspectWorkspace } = await import("../../storage/workspace/inspect.js");
  const workspace = await inspectWorkspace(folder);
  try {
    const last = workspace.runs.last();
    return last?.command === "restore" && last.details["snapshot"] === snapshot && last.exitCode !== EXIT.ok;
  } finally {
    await workspace.close();
  }
}

async function finishFolder(
  session: Session,
  { contents, path }: Archives,
  filled: FillSummary,
): Promise<Ended<FolderFacts>> {
  const { call, workspace } = session;
  const { output } = call;
  const failures = workspace.failures.list();
  const exitCode = failures.length === 0 ? EXIT.ok : EXIT.someFailed;
  output.close();
  for (const failure of failures) output.event("failure", failure);
  const again = "run the same command again, with a repaired repository or another snapshot";
  const lines = [
    `Restored from the snapshot ${contents.snapshot} of ${contents.manifest.site.name}: ${count(filled.items, "item")} and ` +
      `${count(filled.media, "media file")} (${size(filled.bytes)}) are in ${workspace.directory}. Its README.txt explains the files.`,
    ...describeFailures(failures, workspace.directory, again),
  ];
  await keepSummary(session, lines);
  for (const line of lines) output.say(line);
  const summary = { ...filled, failures: failures.length };
  return { exitCode, summary, facts: { snapshot: contents.snapshot, from: path, ...summary } };
}

/** Restores into another site: a migration from a workspace that is built from the archives. */
function restoreIntoSite(call: CommandCall, archives: Archives, root: string): Promise<RestoreResult> {
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
  return withWorkspace<OtherSiteFacts | PlanFacts>(call, plan, (session) =>
    withTarget(session, root, async (connected) => {
      // Checked first, so that a wrong token is found before all is unpacked.
      const survey = await connected.target.survey(call.abort);
      refuseForgotten(session, connected.target, survey);
      // Records the site of this workspace.
      if (!call.settings.dryRun) session.workspace.ledger(survey.identity);
      const filled = await fill(session, archives, elsewhere, false);
      if (call.settings.dryRun) return (await import("../migration/finish.js")).finishPlan(session, connected);
      return loadAndVerify(session, connected, archives, filled);
    }),
  );
}

async function loadAndVerify(
  session: Session,
  connected: ConnectedTarget,
  { contents, path }: Archives,
  filled: FillSummary,
): Promise<Ended<OtherSiteFacts>> {
  const { finish } = await import("../migration/finish.js");
  const { loadInto, verifyAt } = await import("../migration/steps.js");
  const loaded = await loadInto(session, connected);
  const verified = await verifyAt(session, connected);
  const { snapshot, manifest } = contents;
  const { again } = session.call;
  const ended = await finish(
    session,
    { loaded, verified },
    {
      before: [`Restored from the snapshot ${snapshot} of ${manifest.site.name}.`],
      failed: "run the same restore again",
      again: (options) => `${again ?? "guideferry restore …"} ${options}`.trimEnd(),
    },
  );
  return { ...ended, facts: { snapshot, from: path, filled, ...ended.facts } };
}

/**
 * Throws UsageError when this workspace was restored into the site before and has lost its ledger:
 * a restore would create everything twice. An empty site has nothing to double.
 */
function refuseForgotten(
  { call, workspace }: Session,
  { name }: Pick<Target, "name">,
  { identity, highestGuide }: Survey,
): void {
  const isKnown = workspace.targets().some(({ root }) => root === identity.root);
  const before = isKnown || highestGuide === 0 ? undefined : lastRestore(call, workspace.directory, name);
  if (before === undefined) return;
  throw new UsageError(
    `An earlier restore into ${identity.root} (last ${before}) had its ledger in ${workspace.directory}, which is lost. A restore now would create everything ` +
      "a second time. Nothing was written. Restore that folder, or empty the site first. If the site holds nothing of that restore, name another folder with --workspace.",
  );
}

function lastRestore({ environment }: Session["call"], directory: string, root: string): string | undefined {
  const base = userStateFolder({ environment, platform: process.platform, home: homedir() });
  try {
    return lastLoad(base, { root }, directory);
  } catch (error) {
    // The load says that the notes can't be read, when it warns by them.
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

/** Is the site at this address the origin site of the snapshot? Reads its identity. */
async function isOriginSite(call: CommandCall, site: SiteIdentity, root: string): Promise<boolean> {
  const { connectTarget } = await import("../compose.js");
  const talk = talkOf({ call, previous: null, workspace: null }, "target");
  const connected = connectTarget(siteOf(call, "target", root), talk, call.settings, () => site);
  call.hide(connected.redact);
  try {
    return isSame(site, await connected.reader.identify(call.abort));
  } finally {
    await connected.close();
  }
}

/** An empty site has no id. A site that moved keeps its id, and shares a host name. */
function isSame(one: SiteIdentity, other: SiteIdentity): boolean {
  const sameId = one.siteId !== null && one.siteId === other.siteId;
  if (one.root === other.root) return sameId || one.siteId === null || other.siteId === null;
  const local = isLoopback(new URL(other.origin).hostname);
  return sameId && !local && one.hosts.some((host) => other.hosts.includes(host));
}
