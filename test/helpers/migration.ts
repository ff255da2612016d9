import { setMaxListeners } from "node:events";
import { connectSource, connectTarget } from "../../src/commands/compose.js";
import type { Talk } from "../../src/commands/compose-stack.js";
import type { Source } from "../../src/core/contracts.js";
import type { Transform } from "../../src/core/formats.js";
import type { Issue } from "../../src/core/model/issue.js";
import type { Key } from "../../src/core/model/key.js";
import type { PeopleMaps } from "../../src/core/writing.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { Secret } from "../../src/service/http/secret.js";
import type { SourceOptions } from "../../src/service/source/session.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import type { Control } from "../../src/sync/control.js";
import { CircuitBreaker } from "../../src/sync/control.js";
import { extract } from "../../src/sync/extract/extract.js";
import { load } from "../../src/sync/load/load.js";
import type { LoadOptions } from "../../src/sync/load/load-job.js";
import type { LoadSummary } from "../../src/sync/load/load-summary.js";
import { composeTransforms } from "../../src/sync/load/transform-preview.js";
import { type Plan, plan } from "../../src/sync/plan/plan.js";
import { EVERYTHING, type Selection } from "../../src/sync/selection.js";
import type { ItemSink } from "../../src/sync/verify/report/write-report.js";
import { type Difference, type VerifySummary, verify } from "../../src/sync/verify/verify.js";

/** How a migration of a test is done; everything has a default. */
export interface MigrationOptions
  extends Partial<
    Pick<
      LoadOptions,
      | "fit"
      | "assumeLimits"
      | "smallImages"
      | "dangling"
      | "onConflict"
      | "pause"
      | "deleteRemoved"
      | "maxDeletions"
      | "hideWhileUpdating"
      | "selected"
      | "allowDuplicates"
    >
  > {
  readonly onExisting?: "adopt" | "update" | "fail";
  readonly postComments?: boolean;
  readonly match?: "none" | "title";
  readonly concurrency?: number;
  /** How guides and categories are read; default: JSON. */
  readonly format?: SourceOptions["format"];
  readonly keys?: ReadonlySet<Key>;
  /** Globs of what is extracted, with what it needs; default: everything. */
  readonly include?: readonly string[];
  /** What else of what is extracted is chosen. */
  readonly selection?: Partial<Selection>;
  /** Languages that guides may have translations in; default: those that the site tells of. */
  readonly languages?: readonly string[];
  readonly version?: SourceOptions["version"];
  readonly transforms?: readonly Transform[];
  /** Transforms that ask about the workspace, as the commands make them. */
  readonly chosen?: Parameters<typeof composeTransforms>[0];
  /** Also the records of all families, those about people too. */
  readonly personalData?: boolean;
  /** The name of the run in the log; default: `load`. */
  readonly command?: string;
  /** Plans everything, also where an earlier load left nothing to do. Default: no. */
  readonly plansAgain?: boolean;
  /** Who people of the source are at the target. */
  readonly people?: PeopleMaps;
  /** What stands between verify and the site that it reads back. */
  readonly reader?: (reader: Source) => Source;
  /** Takes what verify found of each item. */
  readonly report?: ItemSink;
  /**
   * Aborted: the run drops dead, as if the process were killed, except that this process goes on.
   */
  readonly kill?: AbortSignal;
}

/** Fills the workspace from a sandbox. */
export async function extractFrom(sandbox: Sandbox, directory: string, options: MigrationOptions = {}): Promise<void> {
  const workspace = await openWorkspace(directory, { create: true, command: "test extract" });
  const run = workspace.runs.start("extract", {});
  const connected = connectSource(siteOf(sandbox), talk(options), {
    imageDetails: false,
    format: options.format ?? "json",
    languages: options.languages ?? [],
    version: options.version ?? "latest",
    ...(options.personalData === true ? { records: "all", personalData: true } : {}),
  });
  try {
    await extract({
      source: connected.source,
      workspace,
      selection: { ...EVERYTHING, include: options.include ?? [], ...options.selection },
      options: {},
      control: controlOf(options),
    });
    workspace.runs.end(run, { exitCode: 0, summary: {} });
  } finally {
    await connected.close();
    await workspace.close();
  }
}

/** Loads a workspace into a sandbox. */
export async function loadInto(
  sandbox: Sandbox,
  directory: string,
  options: MigrationOptions = {},
): Promise<LoadSummary> {
  return withTarget(sandbox, directory, options, (parts) => load(parts));
}

/** Says what a load would do. */
export async function planAt(sandbox: Sandbox, directory: string, options: MigrationOptions = {}): Promise<Plan> {
  return withTarget(sandbox, directory, options, (parts) => plan({ ...parts, rate: null, because: new Map() }));
}

/** Reads back what should be there. */
export async function verifyAt(
  sandbox: Sandbox,
  directory: string,
  options: MigrationOptions = {},
): Promise<{
  readonly summary: VerifySummary;
  readonly differences: readonly Difference[];
  readonly notes: readonly Difference[];
}> {
  const differences: Difference[] = [];
  const notes: Difference[] = [];
  const summary = await withTarget(sandbox, directory, { command: "verify", ...options }, (parts) =>
    verify({
      ...parts,
      reader: options.reader?.(parts.reader) ?? parts.reader,
      report: options.report,
      onDifference: (difference) => differences.push(difference),
      onNote: (note) => notes.push(note),
    }),
  );
  return { summary, differences, notes };
}

/** What the loss ledger has of an item, or of all. */
export async function issuesOf(
  { target, workspace }: { readonly target: Sandbox; readonly workspace: string },
  key?: Key,
): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  await withTarget(target, workspace, { command: "verify" }, async ({ ledger, target: site }) => {
    const survey = await site.survey(new AbortController().signal);
    for await (const issue of ledger(survey).issues(key)) issues.push(issue);
  });
  return issues;
}

/** Lets work be done with a workspace and its target, as the commands do. */
export async function withTarget<T>(
  sandbox: Sandbox,
  directory: string,
  options: MigrationOptions,
  work: (parts: Omit<Parameters<typeof verify>[0], "onDifference">) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(directory, { create: false, command: "test load" });
  const { fit = "split", dangling = "absolute", onConflict = "skip", onExisting = "adopt", keys } = options;
  const { pause = () => 0 } = options;
  const choices = {
    onConflict,
    onExisting,
    dangling,
    match: options.match ?? "none",
    postComments: options.postComments ?? false,
    deleteRemoved: options.deleteRemoved ?? false,
    ...(options.people === undefined ? {} : { people: options.people }),
  };
  const connected = connectTarget(siteOf(sandbox), talk(options), choices, () => workspace.source());
  const run = workspace.runs.start(options.command ?? "load", {});
  const site = workspace.source();
  const chosen = site === undefined ? [] : composeTransforms(options.chosen ?? [], site, workspace.items);
  try {
    const done = await work({
      workspace,
      ledger: ({ identity }) => workspace.ledger(identity),
      target: connected.target,
      reader: connected.reader,
      texts: connected.texts,
      transforms: [...chosen, ...(options.transforms ?? [])],
      options: { fit, dangling, onConflict, onExisting, pause, ...asGiven(options, keys) },
      control: controlOf(options),
      ...(options.plansAgain === true ? {} : { decisive: { match: choices.match } }),
    });
    workspace.runs.end(run, { exitCode: 0, summary: {} });
    return done;
  } finally {
    await connected.close();
    await workspace.close();
  }
}

/** What is left to its default where nothing is given. */
function asGiven(options: MigrationOptions, keys: MigrationOptions["keys"]) {
  const { deleteRemoved, maxDeletions, hideWhileUpdating, selected, postComments, allowDuplicates, assumeLimits } =
    options;
  const all = {
    keys,
    assumeLimits,
    smallImages: options.smallImages,
    deleteRemoved,
    maxDeletions,
    hideWhileUpdating,
    selected,
    postComments,
    allowDuplicates,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<LoadOptions>;
}

export function siteOf(sandbox: Sandbox): Parameters<typeof connectSource>[0] {
  return {
    root: sandbox.url,
    credentials: { kind: "token", token: new Secret(sandbox.token), scheme: "api" },
    variables: "GUIDEFERRY_TARGET",
  };
}

export function talk({ concurrency = 4 }: MigrationOptions): Talk {
  return {
    concurrency,
    rate: null,
    mediaRate: null,
    environment: {},
    log: null,
    beat: () => undefined,
    previous: null,
  };
}

export function controlOf({ concurrency = 4, kill = new AbortController().signal }: MigrationOptions): Control {
  setMaxListeners(0, kill);
  return { stop: kill, abort: kill, concurrency, progress: () => undefined, breaker: new CircuitBreaker() };
}
