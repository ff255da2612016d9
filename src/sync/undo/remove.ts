import type { Earlier } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { apply } from "./apply.js";
import type { UndoNotes } from "./notes.js";
import { ourTags } from "./our-tags.js";
import type { UndoJob } from "./undo-job.js";

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

/** Deletes what the run made: a guide with its steps, a page, or the media manager's entry of an upload. */
export async function remove(job: UndoJob, notes: UndoNotes, item: Key, rows: readonly Earlier[]): Promise<void> {
  const { past, run, workspace } = job;
  const change = notes.of(item)?.change;
  if (change === "delete" || change === "replace") {
    const tags = MEDIA.has(kindOf(item)) ? [] : await ourTags(job, item);
    await apply(job, item, `${item}/delete`, { verb: "delete-item", of: item, tags });
  }
  const back = change === "replace" ? rows.flatMap(({ written }) => written ?? []) : [];
  if (MEDIA.has(kindOf(item))) for (const key of past.uploadGone(run.id, item)) workspace.failures.clear("load", key);
  else past.gone(run.id, item, back);
  workspace.failures.clear("load", item);
}
