import { onTestFinished } from "vitest";
import { type FillSummary, fillFromSnapshot, restoreElsewhere } from "../../src/backup/restore/fill-workspace.js";
import { snapshotContents } from "../../src/backup/restore/snapshot-contents.js";
import { connectTarget } from "../../src/commands/compose.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import type { SnapshotId } from "../../src/storage/repository/format.js";
import type { Repository } from "../../src/storage/repository/repository.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { load } from "../../src/sync/load/load.js";
import type { LoadSummary } from "../../src/sync/load/load-summary.js";
import { EVERYTHING, type Selection } from "../../src/sync/selection.js";
import { controlOf, siteOf, talk } from "./migration.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface RestoredNight {
  /** The site that it was restored into, which was empty. */
  readonly target: Sandbox;
  readonly filled: FillSummary;
  readonly loaded: LoadSummary;
}

/**
 * Restores a snapshot into an empty site as `restore` does it: the texts into a workspace, the
 * media from the archives as they are needed.
 */
export async function restoreNight(
  repository: Repository,
  snapshot: SnapshotId,
  selection: Selection = EVERYTHING,
): Promise<RestoredNight> {
  const target = await startSandbox();
  onTestFinished(() => target.close());
  const elsewhere = restoreElsewhere(repository, snapshot);
  const workspace = await openWorkspace(await temporaryFolder(), { create: true, command: "test restore", elsewhere });
  const choices = { onConflict: "skip", onExisting: "adopt", dangling: "absolute" } as const;
  const connected = connectTarget(siteOf(target), talk({}), choices, () => workspace.source());
  const control = controlOf({});
  workspace.runs.start("restore", {});
  try {
    const contents = await snapshotContents(repository, snapshot);
    const filled = await fillFromSnapshot({
      elsewhere,
      contents,
      workspace,
      selection,
      copyMedia: false,
      control,
    });
    const loaded = await load({
      ...connected,
      workspace,
      ledger: ({ identity }) => workspace.ledger(identity),
      transforms: [],
      options: { fit: "split", pause: () => 0, ...choices },
      control,
    });
    return { target, filled, loaded };
  } finally {
    await connected.close();
    await workspace.close();
  }
}
