import { connectTarget } from "../../src/commands/compose.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { type UndoSummary, undo as undoRun } from "../../src/sync/undo/undo.js";
import type { Refusal, UndoPlan } from "../../src/sync/undo/undo-job.js";
import { controlOf, type MigrationOptions, siteOf, talk } from "./migration.js";

export interface Undone {
  readonly summary: UndoSummary;
  readonly refusals: readonly Refusal[];
  readonly plan: UndoPlan | undefined;
}

export interface UndoOptions extends Pick<MigrationOptions, "kill" | "concurrency"> {
  readonly run?: string;
  readonly dryRun?: boolean;
}

/** Undoes the last run of a workspace at a sandbox, or a named one. */
export async function undoAt(sandbox: Sandbox, directory: string, options: UndoOptions = {}): Promise<Undone> {
  const workspace = await openWorkspace(directory, { create: false, command: "test undo" });
  workspace.runs.start("undo", {});
  const choices = { onConflict: "fail", onExisting: "adopt", dangling: "absolute" } as const;
  const connected = connectTarget(siteOf(sandbox), talk(options), choices, () => workspace.source());
  const refusals: Refusal[] = [];
  let plan: UndoPlan | undefined;
  try {
    const summary = await undoRun({
      workspace,
      target: connected.target,
      site: connected.undoSite,
      control: controlOf(options),
      run: options.run,
      dryRun: options.dryRun ?? false,
      onRefusal: async (refusal) => {
        refusals.push(refusal);
      },
      onPlanned: (planned) => {
        plan = planned;
      },
    });
    return { summary, refusals, plan };
  } finally {
    await connected.close();
    await workspace.close();
  }
}
