import type { Key } from "../../core/model/key.js";
import { guideOfTranslation } from "../translations/translation-key.js";
import { caseOf } from "./case.js";
import { judge, type Verdict } from "./judge.js";
import type { UndoNotes } from "./notes.js";
import type { UndoJob } from "./undo-job.js";

const GOES: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * What an undo does with a guide in another language: no call takes one away or is known to restore it (api-facts 4.3), so it goes with its guide,
 * and stays with it.
 */
export async function judgeTranslation(job: UndoJob, notes: UndoNotes, item: Key): Promise<readonly Verdict[]> {
  const earlier = job.past.earlier(job.run.id, item);
  const guide = guideOfTranslation(item);
  const own = judge(await caseOf(job, guide)).find(({ earlier: { thing } }) => thing === guide);
  const goes = own !== undefined && own.reason === undefined && GOES.has(own.change);
  if (!goes) return earlier.map((each) => ({ earlier: each, change: "put-back", reason: "no-way-back" }));
  notes.put(item, { change: "nothing", refused: false, unanswered: false });
  return earlier.map((each) => ({ earlier: each, change: "nothing" }));
}
