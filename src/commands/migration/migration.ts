import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT, SafetyLimitError, StalePlanError, UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Key } from "../../core/model/key.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { ExtractSummary } from "../../sync/extract/summary.js";
import type { PlanFile } from "../../sync/plan/plan-file.js";
import type { CommandCall, RunEnd } from "../command.js";
import type { ConnectedTarget } from "../compose.js";
import { documentsIn, type Place, readSite, rootOf, type SourcePlace } from "../location.js";
import type { Settings } from "../options/table.js";
import type { LoadDone, LoadedFacts, PlanFacts, Read } from "../results.js";
import { asPlanned } from "../session/choices.js";
import { documentsOf, type Ended, type Session, withWorkspace } from "../session/session.js";
import { withTarget } from "../session/sites.js";
import { applyInto, loadInto, refresh, verifyAt } from "./steps.js";

/** Loads the end of a run late, so that its first request does not wait for it. */
export function ending() {
  return import("./finish.js");
}

export async function migrateSite(
  session: Session,
  source: SourcePlace,
  target: string,
): Promise<Ended<LoadedFacts | PlanFacts>> {
  return withBoth<LoadedFacts | PlanFacts>(session, source, target, async (connected, read) => {
    if (session.call.settings.dryRun) return (await ending()).finishPlan(session, connected, read);
    return (await ending()).finish(session, { ...read, ...(await loadAndVerify(session, connected)) });
  });
}

/** Loads, then verifies as `--verify` says. `keys`: only these (retry). */
async function loadAndVerify(session: Session, connected: ConnectedTarget, keys?: ReadonlySet<Key>): Promise<LoadDone> {
  const { verify } = session.call.settings;
  const written = new Set<Key>();
  const loaded = await loadInto(session, connected, keys, (key) => written.add(key));
  if (verify === "none") return { loaded, unverified: true };
  const what = verify === "changed" ? { keys, changed: written } : { keys };
  return { loaded, verified: await verifyAt(session, connected, what) };
}

/** Calls `work` with the target, after a source was extracted; a workspace is used as it is. */
export async function withBoth<Facts extends object>(
  session: Session,
  place: Place,
  target: string,
  work: (connected: ConnectedTarget, read: Read) => Promise<Ended<Facts>>,
): Promise<Ended<Facts>> {
  return withTarget(session, target, async (connected) => {
    if ("workspace" in place) return work(connected, {});
    // Checked first, so that a wrong token is found before hours of reading.
    await connected.target.survey(session.call.abort);
    // Before hours of reading, in which a new version of guideferry may be installed.
    await Promise.all([ending(), import("../../sync/load/load.js"), import("../../sync/verify/verify.js")]);
    return work(connected, { extracted: await refresh(session, place) });
  });
}

/** The exit codes of a finished run. */
const FINISHED: ReadonlySet<number | null> = new Set([
  EXIT.ok,
  EXIT.someFailed,
  EXIT.differences,
  EXIT.losses,
  EXIT.planHasChanges,
]);

/** Runs that leave no unfinished load. */
const NO_LOAD: ReadonlySet<string> = new Set(["retry", "import-training"]);

/** Warns that the run before was stopped, so that there is more to do than its failures. */
export function warnOfUnfinished({ previous, call }: Session): void {
  if (previous === null || NO_LOAD.has(previous.command) || FINISHED.has(previous.exitCode)) return;
  call.output.warn(
    `The last run, guideferry ${previous.command}, was not finished. This run loads only the items that failed until then. ` +
      `To finish it, run the same ${previous.command} command again.`,
  );
}

/**
 * Tries again what failed at the source, then on the named target or the last one, and what was
 * left out there. undefined: nothing failed, and nothing was left out.
 */
export async function takeUpFailures(session: Session, named: string | undefined): Promise<Ended | undefined> {
  const { workspace, call } = session;
  const all = workspace.failures.list();
  const target = named ?? targetOf(all) ?? workspace.targets()[0]?.root;
  const failures = all.filter((failure) => failure.target === null || failure.target === target);
  const leftOut = target === undefined ? [] : await leftOutAt(session, target);
  if (failures.length + leftOut.length === 0) return undefined;
  const keys: ReadonlySet<Key> = new Set([...failures.map(({ key }) => key), ...leftOut]);
  const atSource = failures.some(({ stage }) => stage === "extract" || stage === "media");
  const extracted = atSource ? await readAgain(session) : undefined;
  const done = extracted === undefined ? {} : { extracted };
  if (target === undefined) return (await ending()).finish(session, done);
  return withTarget(session, readSite(target, call.settings.insecureHttp), async (connected) => {
    if (call.settings.dryRun) return (await ending()).finishPlan(session, connected, { ...done, keys });
    return (await ending()).finish(session, { ...done, ...(await loadAndVerify(session, connected, keys)) });
  });
}

/** The items that earlier runs left out on a target. */
async function leftOutAt({ workspace }: Session, root: string): Promise<readonly Key[]> {
  const { inspectWorkspace } = await import("../../storage/workspace/inspect.js");
  const { notThereOf } = await import("../../web/report/counts.js");
  const inspected = await inspectWorkspace(workspace.directory);
  try {
    const run = inspected.runs.run(workspace.runs.current() ?? "");
    const target = inspected.targets().find((one) => one.root === root);
    if (run === undefined || target === undefined) return [];
    return notThereOf(target, { ...run, exitCode: EXIT.ok })
      .filter(({ outcome }) => outcome === "leftOut")
      .map(({ key }) => key);
  } finally {
    await inspected.close();
  }
}

/** The target of the failed loads, if there is only one. */
function targetOf(failures: readonly Failure[]): string | undefined {
  const roots = new Set(failures.flatMap(({ target }) => target ?? []));
  return roots.size === 1 ? [...roots][0] : undefined;
}

async function readAgain(session: Session): Promise<ExtractSummary | undefined> {
  const source = session.workspace.source();
  return source === undefined ? undefined : refresh(session, placeOf(source, session), true);
}

function placeOf({ root, origin, name }: SiteIdentity, { call, previous, workspace }: Session): SourcePlace {
  if (origin !== "") return { site: readSite(root, call.settings.insecureHttp) };
  const documents = documentsOf(previous);
  if (documents !== undefined && existsSync(documents)) return { documents };
  throw new UsageError(
    `The documents ${name} are no longer at ${documents ?? "a known place"}. Read them from their new place: guideferry extract PATH --workspace ${workspace.directory}`,
    { exitCode: EXIT.notFound },
  );
}

/** Carries out the plan of a file; its source, if any, is read again first. */
export async function runApply(call: CommandCall, path: string): Promise<RunEnd> {
  const { readPlanFile } = await import("../../sync/plan/plan-file.js");
  const file = await readPlanFile(resolve(path));
  const { head } = file;
  const settings = asPlanned(call.settings, head.choices, file.path);
  const place: Place = head.read ?? { workspace: head.workspace.directory };
  const target = readSite(head.target.root, settings.insecureHttp);
  const plan = {
    command: "apply",
    task: "load",
    directory: head.workspace.directory,
    create: false,
    sites: { ...("workspace" in place ? {} : { source: rootOf(place) }), target },
    details: { plan: file.path },
    ...documentsIn(place),
  } as const;
  await refuseOtherTransforms(file, settings.transforms);
  return withWorkspace({ ...call, settings }, plan, (session) =>
    withBoth(session, place, target, async (connected, read) => {
      refuseUnread(file, read.extracted);
      return (await ending()).finish(session, { ...read, loaded: await applyInto(session, connected, file) });
    }),
  );
}

/** Before anything is read: a changed transform changes what is sent. */
async function refuseOtherTransforms({ path, head }: PlanFile, chosen: Settings["transforms"]): Promise<void> {
  const { transformDigests } = await import("./plan-output.js");
  const now = await transformDigests(chosen);
  const changed = now.filter(({ digest }, at) => digest !== head.transforms[at]?.digest);
  if (changed.length === 0 && now.length === head.transforms.length) return;
  throw new StalePlanError(
    `The transform ${changed[0]?.name ?? ""} changed after the plan ${path} was made. Nothing was read or written. Make a new plan.`,
  );
}

/** An item that could not be read again may have changed. */
function refuseUnread({ path }: PlanFile, extracted: ExtractSummary | undefined): void {
  const failures = extracted?.failures ?? 0;
  if (failures === 0) return;
  throw new SafetyLimitError(
    `${failures} of the source's items could not be read again. They may have changed since the plan was made. This run carried out nothing of ${path}. Run the same command again when the source answers.`,
  );
}
