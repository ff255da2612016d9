import { homedir } from "node:os";
import type { ConnectedTarget } from "../compose.js";
import { rateAt } from "../compose-stack.js";
import type { Transform } from "../../core/contracts.js";
import { WorkspaceError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import { composeTransforms } from "../../sync/compose-transforms.js";
import { type LoadParts, type LoadSummary, load } from "../../sync/load.js";
import { readMap } from "../../sync/map/read-map.js";
import { applyPlan } from "../../sync/plan/apply-plan.js";
import type { PlanFile } from "../../sync/plan/read-plan-file.js";
import { type LargePlan, largePlan } from "../../sync/plan.js";
import type { PlanParts } from "../../sync/planned-item.js";
import type { ItemSink } from "../../sync/verify/report/open-report.js";
import { type VerifySummary, verify } from "../../sync/verify/verify.js";
import { claimTarget } from "../../storage/workspace/target-registry.js";
import { userStateFolder } from "../../storage/workspace/user-state-folder.js";
import { refuseSameIdentity } from "../location.js";
import { createDifferencePrinter } from "../output/print-verify.js";
import { becauseOf, storedSelection } from "./selection.js";
import { controlOf, type Session } from "./session.js";
import { loadChoices } from "./writing-options.js";

/** Loads the workspace into the target; `keys`: only these (retry). */
export async function loadInto(
  session: Session,
  connected: ConnectedTarget,
  keys?: ReadonlySet<Key>,
  onWritten?: (key: Key) => void,
): Promise<LoadSummary> {
  const release = session.rehearsal ? () => undefined : await warnOfOthers(session, connected.target.name);
  try {
    const parts = await loadParts(session, connected, keys);
    return await load(onWritten === undefined ? parts : { ...parts, onWritten });
  } finally {
    release();
  }
}

/** Says what a load would do; writes nothing. */
export async function planFor(
  session: Session,
  connected: ConnectedTarget,
  keys?: ReadonlySet<Key>,
): Promise<LargePlan> {
  return largePlan(await planParts(session, connected, keys));
}

/** Carries out the plan of a file. */
export async function applyInto(session: Session, connected: ConnectedTarget, file: PlanFile): Promise<LoadSummary> {
  const release = await warnOfOthers(session, connected.target.name);
  try {
    const { reader } = connected;
    return await applyPlan({ ...(await planParts(session, connected)), reader, file });
  } finally {
    release();
  }
}

async function planParts(session: Session, connected: ConnectedTarget, keys?: ReadonlySet<Key>): Promise<PlanParts> {
  const { settings } = session.call;
  const because = becauseOf(await storedSelection(session));
  const rate = rateAt(connected.target.name, settings.targetRate ?? settings.rate);
  const showTexts = settings.planText || settings.planHtml !== null;
  const parts = await loadParts(session, connected, keys);
  return { ...parts, reader: connected.reader, because, rate, showTexts };
}

/** What is read back; each by itself: all. */
interface VerifyWhat {
  /** Only these (retry). */
  readonly keys?: ReadonlySet<Key> | undefined;
  /** Only these whole, and of the others whether they are there. */
  readonly changed?: ReadonlySet<Key> | undefined;
  readonly report?: ItemSink | undefined;
}

/** Reads back what should be at the target, or of it what changed, and tells each difference as it is found. */
export async function verifyAt(
  session: Session,
  connected: ConnectedTarget,
  { keys, changed, report }: VerifyWhat = {},
): Promise<VerifySummary> {
  const { reader, texts } = connected;
  const differences = createDifferencePrinter(session.call.output);
  const parts = await loadParts(session, connected, keys);
  const summary = await verify({
    ...parts,
    reader,
    texts,
    onDifference: differences.print,
    onNote: differences.printNote,
    report,
    ...(changed === undefined ? {} : { changed }),
  });
  differences.end();
  return summary;
}

async function loadParts(session: Session, { target }: ConnectedTarget, keys?: ReadonlySet<Key>): Promise<LoadParts> {
  const { call, workspace } = session;
  const { movedMap } = call.settings;
  const selected = await storedSelection(session);
  return {
    workspace,
    target,
    transforms: transformsOf(session, target),
    control: controlOf(call),
    ...(movedMap === null ? {} : { movedElsewhere: (sites) => readMap(movedMap, sites) }),
    options: {
      ...loadChoices(call.settings),
      ...(selected === undefined ? {} : { selected: new Set(selected.keys()) }),
      ...(keys === undefined ? {} : { keys }),
    },
    ledger: ({ identity }) => {
      const source = workspace.source();
      if (source !== undefined) refuseSameIdentity(source, identity);
      return workspace.ledger(identity);
    },
  };
}

function transformsOf({ workspace, transforms }: Session, { limits }: ConnectedTarget["target"]): readonly Transform[] {
  const source = workspace.source();
  // A workspace that holds no site is refused by the load itself.
  return source === undefined ? [] : composeTransforms(transforms, source, workspace.items, limits.lineLength);
}

/** Two workspaces that load into one site know nothing of each other. Returns the release. */
async function warnOfOthers({ call, workspace }: Session, root: string): Promise<() => void> {
  const system = { environment: call.environment, platform: process.platform, home: homedir() };
  try {
    const claim = await claimTarget(userStateFolder(system), { root }, workspace.directory);
    for (const other of claim.others) {
      const when = other.running ? "is loading into it now" : `was loaded into it, last ${other.lastUsed}`;
      call.output.warn(
        `Another workspace, ${other.directory}, ${when}. The two know nothing of each other, so that what both load would be there twice.`,
      );
    }
    return () => claim.release();
  } catch (error) {
    // The notes only serve this warning, so a load goes on without them, and says so.
    if (!(error instanceof WorkspaceError)) throw error;
    call.output.warn(error.message);
    return () => undefined;
  }
}
