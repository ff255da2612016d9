import { EXIT, UsageError } from "../../../core/errors.js";
import type { SnapshotContents } from "../../../backup/snapshot-contents.js";
import { takesEverything } from "../../../sync/select.js";
import type { Settings } from "../../options/table.js";
import { flagsOfSelection, selectionOf } from "../selection.js";

/** Throws UsageError (exit 10) when the options choose nothing of a snapshot: a misspelt glob would else look like work that is done. */
export async function refuseEmptyChoice(contents: SnapshotContents, settings: Settings): Promise<void> {
  const selection = selectionOf(settings);
  if (takesEverything(selection)) return;
  for await (const _row of contents.chosen(selection)) return;
  throw new UsageError(
    `Nothing in the snapshot ${contents.snapshot} matches ${flagsOfSelection(settings)}. Globs are keys (guide/12*) or paths of category titles (Looms/**). ` +
      "Another snapshot (--at) may have it: `guideferry history REPO KEY` tells.",
    { exitCode: EXIT.notFound },
  );
}
