import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModuleJournal, PackageRow } from "../../../../src/core/training.js";
import type { Sandbox } from "../../../../src/sandbox/index.js";
import { createStack } from "../../../../src/service/http/stack.js";
import { createModuleSite } from "../../../../src/service/training/module-site.js";
import { openWorkspace } from "../../../../src/storage/workspace/workspace.js";
import { CircuitBreaker } from "../../../../src/sync/control.js";
import { importPackages, planPackages } from "../../../../src/training/import/import-packages.js";
import type { ImportJob, ImportOptions, ImportSummary } from "../../../../src/training/import/import-run.js";
import { preparePackage } from "../../../../src/training/package/normalise-package.js";
import type { FoundPackage, PackageResult } from "../../../../src/training/package.js";
import { siteOf } from "../../../helpers/migration.js";
import { removeFolder } from "../../../helpers/temporary-folder.js";

/** Waits that are over in a blink: a site on this machine is never late. */
export const QUICK: ImportOptions = {
  poll: { first: 1, factor: 1.5, longest: 4 },
  graceTime: 12,
  deadline: { base: 120_000, perByte: 0 },
};

export interface RunOptions extends ImportOptions {
  readonly concurrency?: number;
  readonly stop?: AbortSignal;
  /**
   * Aborted: the run drops dead, as if the process were killed, except that this process goes on.
   */
  readonly kill?: AbortSignal;
  /** Put in the place of the journal. */
  readonly journal?: (journal: ModuleJournal) => ModuleJournal;
  readonly prepare?: ImportJob["prepare"];
  readonly onTell?: (result: PackageResult, scratch: string) => void | Promise<void>;
  readonly breaker?: CircuitBreaker;
  readonly pausedTime?: () => number;
  /** How often a request is sent at most. */
  readonly tries?: number;
}

export interface RunOutcome {
  readonly summary: ImportSummary;
  readonly results: readonly PackageResult[];
}

/** Imports packages into a sandbox with a workspace that is opened for it. */
export function importInto(
  sandbox: Sandbox,
  workspace: string,
  packages: readonly FoundPackage[],
  options: RunOptions = {},
): Promise<RunOutcome> {
  return withJob(sandbox, workspace, options, (job) => importPackages(job, stream(packages)));
}

export function planInto(
  sandbox: Sandbox,
  workspace: string,
  packages: readonly FoundPackage[],
  options: RunOptions = {},
): Promise<RunOutcome> {
  return withJob(sandbox, workspace, options, (job) => planPackages(job, stream(packages)));
}

/** What the journal of a workspace has, by source. */
export async function rowsOf(sandbox: Sandbox, workspace: string): Promise<readonly PackageRow[]> {
  const rows: PackageRow[] = [];
  await withJob(sandbox, workspace, {}, async ({ journal }) => {
    for await (const row of journal.rows()) rows.push(row);
    return NOTHING;
  });
  return rows;
}

const NEVER = new AbortController().signal;
const NOTHING: ImportSummary = {
  packages: 0,
  actions: { "new-module": 0, "new-version": 0, "go-on": 0, publish: 0, unchanged: 0, "same-as": 0, refused: 0 },
  imported: 0,
  published: 0,
  failed: 0,
  unknown: 0,
};

async function withJob(
  sandbox: Sandbox,
  directory: string,
  options: RunOptions,
  work: (job: ImportJob) => Promise<ImportSummary>,
): Promise<RunOutcome> {
  const {
    kill = NEVER,
    stop = kill,
    concurrency = 1,
    journal = (own) => own,
    prepare,
    onTell,
    breaker,
    pausedTime = () => 0,
    ...rest
  } = options;
  const { tries = 3, ...own } = rest;
  const workspace = await openWorkspace(directory, { create: true, command: "test import" });
  const scratch = await mkdtemp(join(tmpdir(), "guideferry-test-scratch-"));
  const retry = { firstDelay: 1, longestDelay: 3, tries };
  const stack = createStack({ ...siteOf(sandbox), concurrency: 8, environment: {}, retry });
  const results: PackageResult[] = [];
  try {
    const site = createModuleSite({ client: stack.client, name: "the sandbox" });
    const identity = await site.survey(kill);
    const summary = await work({
      site,
      journal: journal(workspace.modules(identity)),
      placeOf: ({ source }) => source,
      prepare: prepare ?? prepareFound,
      scratch,
      pausedTime,
      options: { ...QUICK, ...own },
      control: { stop, abort: kill, concurrency, progress: () => undefined, breaker: breaker ?? new CircuitBreaker() },
      tell: async (result) => {
        results.push(result);
        await onTell?.(result, scratch);
      },
    });
    return { summary, results };
  } finally {
    await stack.close();
    await workspace.close();
    await removeFolder(scratch);
  }
}

/** What is given lies in a folder. */
export const prepareFound: ImportJob["prepare"] = ({ path, source }, signal) =>
  preparePackage(path ?? "", { source, signal });

async function* stream(packages: readonly FoundPackage[]): AsyncGenerator<FoundPackage> {
  yield* packages;
}
