import { onTestFinished } from "vitest";
import { rehearseInPlace, restoreInPlace } from "../../src/backup/in-place/restore-in-place.js";
import type { InPlaceSummary } from "../../src/backup/in-place/summary.js";
import { restoreElsewhere } from "../../src/backup/restore/fill-workspace.js";
import { snapshotContents } from "../../src/backup/restore/snapshot-contents.js";
import { connectTarget } from "../../src/commands/compose.js";
import type { Survey } from "../../src/core/contracts.js";
import type { Issue } from "../../src/core/model/issue.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { copyNotes } from "../../src/storage/workspace/state.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { EVERYTHING, type Selection } from "../../src/sync/selection.js";
import type { Difference } from "../../src/sync/verify/verify.js";
import { controlOf, extractFrom, type MigrationOptions, siteOf, talk } from "./migration.js";
import { type StoredRepository, storedRepository } from "./stored-repository.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A sandbox of which a snapshot was taken, and that is put back to it. */
export interface VandalisedSite {
  readonly sandbox: Sandbox;
  readonly repository: StoredRepository;
  /** Puts it back; everything, and over all edits, unless said otherwise. */
  restore(options?: RestoreOptions): Promise<Restored>;
  /** What was sent since the snapshot and is no read. */
  writes(): readonly string[];
}

export interface Restored extends InPlaceSummary {
  readonly differences: readonly Difference[];
  /** The values that the ledger calls lost. */
  readonly losses: readonly Issue[];
}

export interface RestoreOptions extends Pick<MigrationOptions, "kill" | "concurrency"> {
  readonly selection?: Partial<Selection>;
  readonly overwrites?: boolean;
  readonly dryRun?: boolean;
  /** What is sent where the site refuses a step. Default: nothing. */
  readonly fit?: "refuse" | "split" | "trim";
  readonly onConflict?: "skip" | "update" | "fail";
  /** Another folder than that of the restores before. */
  readonly workspace?: string;
  /** What the site says of the account. Default: as it is. */
  readonly admin?: boolean;
  readonly keepPresent?: () => Promise<void>;
}

/** Fills a site, takes a snapshot of it, and lets a test do what it likes. */
export async function snapshotOf(
  fill: (sandbox: Sandbox) => unknown,
  options: SandboxOptions = {},
): Promise<VandalisedSite> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  await fill(sandbox);
  const source = await temporaryFolder();
  // The sample site does not tell that it has some guides in German as well.
  await extractFrom(sandbox, source, { languages: options.site === undefined ? [] : ["de"] });
  const repository = await storedRepository(source);
  const kept = await temporaryFolder();
  const before = sandbox.recorded.length;
  return {
    sandbox,
    repository,
    restore: (more = {}) => restore(sandbox, repository, { workspace: kept, ...more }),
    writes: () =>
      sandbox.recorded
        .slice(before)
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => `${method} ${path}`),
  };
}

async function restore(
  sandbox: Sandbox,
  repository: StoredRepository,
  {
    selection,
    overwrites = true,
    dryRun = false,
    onConflict = "skip",
    workspace: directory = "",
    keepPresent,
    admin,
    fit = "refuse",
    ...run
  }: RestoreOptions,
): Promise<Restored> {
  const contents = await snapshotContents(repository, "20261120T030000Z");
  const folder = dryRun ? await temporaryFolder() : directory;
  if (dryRun) await copyNotes(directory, folder);
  const workspace = await openWorkspace(folder, {
    create: true,
    command: "test restore",
    elsewhere: restoreElsewhere(repository, contents.snapshot),
  });
  const choices = { onConflict, onExisting: "update", dangling: "absolute", toOrigin: true } as const;
  const connected = connectTarget(siteOf(sandbox), talk(run), choices, () => workspace.source());
  const differences: Difference[] = [];
  workspace.runs.start("restore", {});
  try {
    const parts = {
      ...connected,
      target: {
        ...connected.target,
        survey: async (signal: AbortSignal) => accountOf(await connected.target.survey(signal), admin),
      },
      contents,
      workspace,
      options: {
        selection: { ...EVERYTHING, ...selection },
        overwrites,
        dangling: "absolute" as const,
        onConflict,
        fit,
        pause: () => 0,
      },
      control: controlOf(run),
    };
    const onDifference = (difference: Difference) => differences.push(difference);
    const summary = dryRun
      ? await rehearseInPlace(parts)
      : await restoreInPlace({ ...parts, keepPresent: keepPresent ?? (() => Promise.resolve()), onDifference });
    const losses: Issue[] = [];
    for await (const issue of workspace.ledger(summary.target).issues()) if (issue.level === "loss") losses.push(issue);
    return { ...summary, differences, losses };
  } finally {
    await connected.close();
    await workspace.close();
  }
}

function accountOf(survey: Survey, admin: boolean | undefined): Survey {
  const { account } = survey.identity;
  if (account === null || admin === undefined) return survey;
  return { ...survey, identity: { ...survey.identity, account: { ...account, admin } } };
}
