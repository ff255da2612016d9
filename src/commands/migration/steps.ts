import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Source } from "../../core/contracts.js";
import { UsageError, WorkspaceError } from "../../core/errors.js";
import type { Transform } from "../../core/formats.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { ITEM_KINDS, type Key } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { isLoopback } from "../../service/http/address.js";
import { claimTarget } from "../../storage/workspace/target-registry.js";
import { userStateFolder } from "../../storage/workspace/user-state-folder.js";
import type { Reason } from "../../sync/dependencies.js";
import type { ExtractOptions } from "../../sync/extract/run.js";
import type { ExtractSummary } from "../../sync/extract/summary.js";
import type { LoadParts } from "../../sync/load/load.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import type { PlanParts } from "../../sync/load/planned-item.js";
import type { LargePlan } from "../../sync/plan/plan.js";
import type { PlanFile } from "../../sync/plan/plan-file.js";
import { DEFAULT_CYCLE, takesEverything } from "../../sync/selection.js";
import type { ItemSink } from "../../sync/verify/report/write-report.js";
import type { VerifySummary } from "../../sync/verify/verify.js";
import type { ConnectedTarget } from "../compose.js";
import { rateAt } from "../compose-stack.js";
import type { SourcePlace } from "../location.js";
import { loadChoices, WRITING } from "../option-effects.js";
import type { OptionName, Settings } from "../options/table.js";
import { createDifferencePrinter } from "../output/describe.js";
import { selectionOf, storedSelection } from "../session/selection.js";
import { controlOf, type Session } from "../session/session.js";
import { withSource } from "../session/sites.js";

// What a run needs after its first request is imported by then: no run waits for it to be parsed.

export async function refresh(session: Session, place: SourcePlace, onlyFailed = false): Promise<ExtractSummary> {
  return withSource(session, place, (source) => extractFrom(session, source, onlyFailed));
}

async function extractFrom(session: Session, source: Source, onlyFailed: boolean): Promise<ExtractSummary> {
  const { call, workspace } = session;
  const selection = selectionOf(call.settings);
  const { extract } = await import("../../sync/extract/extract.js");
  const options = { onlyFailed, ...refreshOf(call.settings) };
  const summary = await extract({ source, workspace, selection, options, control: controlOf(call) });
  if (!onlyFailed && !takesEverything(selection) && taken(summary) === 0) {
    call.output.warn(
      "No item at the source matches --only, --include, --exclude and --since together: no item was read. Globs match keys " +
        "(guide/12*) or paths of category titles (Looms/**).",
    );
  }
  return summary;
}

/** The share of `--refresh`; its default with all records is a cycle. */
export function refreshOf({
  refresh,
  records,
}: Pick<Settings, "refresh" | "records">): Pick<ExtractOptions, "refreshCycle"> {
  if (refresh !== null) return { refreshCycle: refresh };
  return records === "all" ? { refreshCycle: DEFAULT_CYCLE } : {};
}

/** Without records, which are always read. */
function taken({ kinds }: ExtractSummary): number {
  const chosen = ITEM_KINDS.filter((kind) => kind !== "record").map((kind) => kinds[kind]);
  return chosen.reduce((sum, { read, unchanged, failed }) => sum + read + unchanged + failed, 0);
}

export async function loadInto(
  session: Session,
  connected: ConnectedTarget,
  keys?: ReadonlySet<Key>,
  onWritten?: (key: Key) => void,
): Promise<LoadSummary> {
  const release = session.rehearsal ? () => undefined : await warnOfOthers(session, connected.target.name);
  try {
    const parts = await loadParts(session, connected, keys);
    const { load } = await import("../../sync/load/load.js");
    return await load(onWritten === undefined ? parts : { ...parts, onWritten });
  } finally {
    release();
  }
}

export async function planFor(
  session: Session,
  connected: ConnectedTarget,
  keys?: ReadonlySet<Key>,
): Promise<LargePlan> {
  const { largePlan } = await import("../../sync/plan/plan.js");
  return largePlan(await planParts(session, connected, keys));
}

export async function applyInto(session: Session, connected: ConnectedTarget, file: PlanFile): Promise<LoadSummary> {
  const release = await warnOfOthers(session, connected.target.name);
  try {
    const { reader } = connected;
    const { applyPlan } = await import("../../sync/plan/apply-plan.js");
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

interface VerifyWhat {
  /** Only these (retry). */
  readonly keys?: ReadonlySet<Key> | undefined;
  /** Only these are read back; of the others verify checks that they exist. */
  readonly changed?: ReadonlySet<Key> | undefined;
  readonly report?: ItemSink | undefined;
}

/** Reads back the items on the target, or only `changed`, and prints each difference at once. */
export async function verifyAt(
  session: Session,
  connected: ConnectedTarget,
  { keys, changed, report }: VerifyWhat = {},
): Promise<VerifySummary> {
  const { reader, texts } = connected;
  const differences = createDifferencePrinter(session.call.output);
  const parts = await loadParts(session, connected, keys);
  const { verify } = await import("../../sync/verify/verify.js");
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
    transforms: await transformsOf(session, target),
    control: controlOf(call),
    ...(await movedOf(movedMap)),
    decisive: { version: call.version, ...Object.fromEntries(WRITING.map((name) => [name, call.settings[name]])) },
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

async function movedOf(file: string | null): Promise<Pick<LoadParts, "movedElsewhere">> {
  if (file === null) return {};
  const { readMap } = await import("../../sync/map/read-map.js");
  return { movedElsewhere: (sites) => readMap(file, sites) };
}

async function transformsOf(
  { workspace, transforms }: Session,
  { limits }: ConnectedTarget["target"],
): Promise<readonly Transform[]> {
  const { composeTransforms } = await import("../../sync/load/transform-preview.js");
  const source = workspace.source();
  // The load itself refuses a workspace without a source.
  return source === undefined ? [] : composeTransforms(transforms, source, workspace.items, limits.lineLength);
}

/** Two workspaces with one target share no ledger. Returns the release. */
async function warnOfOthers({ call, workspace }: Session, root: string): Promise<() => void> {
  const system = { environment: call.environment, platform: process.platform, home: homedir() };
  try {
    const claim = await claimTarget(userStateFolder(system), { root }, workspace.directory);
    for (const other of claim.others) {
      const when = other.running ? "is being loaded into it now" : `was loaded into it, last ${other.lastUsed}`;
      call.output.warn(
        `Another workspace uses the same target: ${other.directory} ${when}. They share no ledger: items that both load exist twice on the target.`,
      );
    }
    return () => claim.release();
  } catch (error) {
    // Only this warning needs the registry, so a load continues without it.
    if (!(error instanceof WorkspaceError)) throw error;
    call.output.warn(error.message);
    return () => undefined;
  }
}

/**
 * Compares, and writes the report of `--report`, complete or not at all. Throws ArchiveError if it
 * cannot be written.
 */
export async function verifyWithReport(session: Session, connected: ConnectedTarget): Promise<VerifySummary> {
  const { verifyReport } = session.call.settings;
  if (verifyReport === null) return verifyAt(session, connected);
  const file = refuseWrongPlace(verifyReport);
  const { openReport } = await import("../../sync/verify/report/write-report.js");
  const report = await openReport(file);
  try {
    const summary = await verifyAt(session, connected, { report });
    const { target, ...rest } = summary;
    const counts = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    );
    const ends = { source: session.workspace.source(), target, choices: choicesOf(session), counts, now: Date.now() };
    return { ...summary, report: await report.finish(ends) };
  } finally {
    await report.close();
  }
}

const DECIDING = [
  "fit",
  "dangling",
  "onConflict",
  "onExisting",
  "only",
  "include",
  "exclude",
  "transforms",
  "match",
  "typeMap",
  "categoryMap",
  "contentVersion",
  "postComments",
] as const satisfies readonly OptionName[];

function choicesOf({ call: { settings } }: Session): JsonObject {
  return Object.fromEntries(DECIDING.map((name) => [name, settings[name]]));
}

/** Checked first, because reading may take hours. */
function refuseWrongPlace(text: string): string {
  const file = resolve(text);
  const isFolder = existsSync(file) && statSync(file).isDirectory();
  if (!isFolder) return file;
  throw new UsageError(`--report ${text} is a folder. Name a file in it.`);
}

/**
 * Throws UsageError when source and target are one site with two addresses: one id and a shared
 * host name. Two ports of this machine are two sandboxes.
 */
export function refuseSameIdentity(source: SiteIdentity, target: SiteIdentity): void {
  if (source.origin === "") return;
  const [one, other] = [new URL(source.origin), new URL(target.origin)];
  const local = isLoopback(one.hostname) && isLoopback(other.hostname) && one.port !== other.port;
  const shared = source.hosts.some((host) => target.hosts.includes(host));
  if (source.siteId === null || source.siteId !== target.siteId || !shared || local) return;
  throw new UsageError(
    `${source.root} and ${target.root} are two addresses of the same site (${target.name}, id ${target.siteId}). Nothing was written.`,
  );
}

/** `prerequisite of guide/12`, for items that were not chosen themselves. */
function becauseOf(selected: ReadonlyMap<Key, Reason> | undefined): ReadonlyMap<Key, string> {
  const entries = [...(selected ?? [])].flatMap(([key, reason]): [Key, string][] =>
    reason.chosen ? [] : [[key, `${reason.how} of ${reason.neededBy}`]],
  );
  return new Map(entries);
}
