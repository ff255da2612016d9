import { existsSync } from "node:fs";
import type { SiteIdentity } from "../../core/contracts.js";
import { EXIT, UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";
import { notThereOf } from "../../web/report/not-sent.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { inspectWorkspace } from "../../storage/workspace/inspect.js";
import { readSite, type SourcePlace } from "../location.js";
import { finish, finishPlan } from "./finish.js";
import { loadAndVerify } from "./migration.js";
import { documentsOf, type Ended, type Session } from "./session.js";
import { withTarget } from "./sites.js";
import { refresh } from "./source-steps.js";

/** A run that got to its end and told what failed has one of these. */
const FINISHED: ReadonlySet<number | null> = new Set([
  EXIT.ok,
  EXIT.someFailed,
  EXIT.differences,
  EXIT.losses,
  EXIT.planHasChanges,
]);

/** Runs that leave nothing behind which a load would have to go on with. */
const NO_LOAD: ReadonlySet<string> = new Set(["retry", "import-training"]);

/** Warns that there is more to do than what failed: the run before this one was stopped before its end. */
export function warnOfUnfinished({ previous, call }: Session): void {
  if (previous === null || NO_LOAD.has(previous.command) || FINISHED.has(previous.exitCode)) return;
  call.output.warn(
    `The last run, guideferry ${previous.command}, did not get to its end. This takes up only what failed until then; ` +
      `to finish, give the same ${previous.command} command again.`,
  );
}

/**
 * Does again what failed: at the source, then at the named target or the last one; and what was left out there, as the options of this run have it.
 * undefined: nothing failed, and nothing was left out.
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
  if (target === undefined) return finish(session, done);
  return withTarget(session, readSite(target, call.settings.insecureHttp), async (connected) => {
    if (call.settings.dryRun) return finishPlan(session, connected, { ...done, keys });
    return finish(session, { ...done, ...(await loadAndVerify(session, connected, keys)) });
  });
}

/** What earlier runs left out at a target, whatever they chose. */
async function leftOutAt({ workspace }: Session, root: string): Promise<readonly Key[]> {
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

/** Where loads failed, when that was at one target only. */
function targetOf(failures: readonly Failure[]): string | undefined {
  const roots = new Set(failures.flatMap(({ target }) => target ?? []));
  return roots.size === 1 ? [...roots][0] : undefined;
}

async function readAgain(session: Session): Promise<ExtractSummary | undefined> {
  const source = session.workspace.source();
  return source === undefined ? undefined : refresh(session, placeOf(source, session), true);
}

/** Where a source is that was read before. */
function placeOf({ root, origin, name }: SiteIdentity, { call, previous, workspace }: Session): SourcePlace {
  if (origin !== "") return { site: readSite(root, call.settings.insecureHttp) };
  const documents = documentsOf(previous);
  if (documents !== undefined && existsSync(documents)) return { documents };
  throw new UsageError(
    `The documents ${name} are not at ${documents ?? "a place that is known"} any more. Read them where they are now: guideferry extract PATH --workspace ${workspace.directory}`,
    { exitCode: EXIT.notFound },
  );
}
