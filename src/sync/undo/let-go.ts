import type { Key } from "../../core/model/key.js";
import type { UndoNotes } from "./notes.js";
import { sendBack, standing } from "./parts-back.js";
import type { UndoJob } from "./undo-job.js";

const GOES: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * Takes away the prerequisites of a guide that go with it. A site takes a deleted guide out of those that need it, so that one of two guides that
 * go, and of which one needs the other, would not be as we left it any more when its turn comes.
 */
export async function letGo(job: UndoJob, notes: UndoNotes, item: Key): Promise<void> {
  if (!GOES.has(notes.of(item)?.change ?? "")) return;
  const { prerequisites } = await standing(job, { item, thing: item });
  for (const id of Array.isArray(prerequisites) ? prerequisites : []) {
    const needed = await job.past.ledger.keyOf("guide", String(id));
    const noted = needed === undefined ? undefined : notes.of(needed);
    if (noted === undefined || noted.refused || !GOES.has(noted.change)) continue;
    await sendBack(job, { item, thing: item }, "fields", { prerequisites: [] });
    return;
  }
}
