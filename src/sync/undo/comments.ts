import { isKnown, noteOfPosted } from "../../service/target/posted-comment.js";
import type { Earlier } from "../../core/contracts.js";
import type { UndoJob } from "./undo-job.js";

/** How a comment stands that the run posted. `answered`: by somebody else, whose answer would go with it. */
export type CommentNow = "there" | "answered" | "gone";

type Asking = Pick<UndoJob, "past" | "site" | "control">;

/** The id that it got; undefined: it was never posted. */
export async function idOfComment({ past }: Asking, { item, thing }: Earlier): Promise<string | undefined> {
  const posted = await noteOfPosted({ context: past.ledger, operation: { id: `${item}/${thing}` } });
  return posted === undefined ? undefined : String(posted.id);
}

export async function commentNow(job: Asking, earlier: Earlier): Promise<CommentNow> {
  const id = await idOfComment(job, earlier);
  const replies = id === undefined ? undefined : await job.site.replies(id, job.control.abort);
  if (replies === undefined) return "gone";
  return (await hasStrange(job, replies)) ? "answered" : "there";
}

/** Is one of these comments of the target somebody else's? */
export async function hasStrange({ past }: Asking, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (!(await isKnown(past.ledger, Number(id)))) return true;
  return false;
}

/** Deletes it, and forgets that it was posted. */
export async function commentBack(job: UndoJob, earlier: Earlier): Promise<void> {
  const { past, site, control, run } = job;
  const id = await idOfComment(job, earlier);
  if (id !== undefined) {
    await site.deleteComment(id, control.abort);
    await past.ledger.remember(`comment/${id}`, "");
  }
  await past.ledger.remember(`${earlier.item}/${earlier.thing}`, "");
  past.undone(run.id, earlier, [], "forget");
}
