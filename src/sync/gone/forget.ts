import type { Operation, Written } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import { close } from "../close-failures.js";
import type { LoadJob } from "../load-job.js";
import { TRANSFORMED } from "../outlook.js";
import { deletionId } from "./deletion-of.js";
import { noteGone } from "./note-gone.js";
import type { Swept } from "./sweep.js";

/** Notes what is gone at the source; what was told of deletions before is told no more. */
export async function noteSwept(job: LoadJob, { gone }: Pick<Swept, "gone">): Promise<void> {
  await forgetTold(job);
  for (const { key, written, stays } of gone)
    if (stays !== null) await job.ledger.report(key, [noteGone(key, written, stays)]);
}

/** That something was deleted is told by the run that did it. */
async function forgetTold({ workspace, ledger }: LoadJob): Promise<void> {
  for (const kind of TRANSFORMED) {
    for (const { key, state } of workspace.items.entries(kind))
      if (state === "gone" && (await isDeleted(ledger, key))) await ledger.report(key, []);
  }
}

async function isDeleted(ledger: LoadJob["ledger"], key: Key): Promise<boolean> {
  return (await ledger.written(key)) === undefined && (await ledger.loaded(key)).operations.has(deletionId(key));
}

/** All that was done for a thing is undone: should the source have it again one day, it is made anew. */
export async function forget(job: LoadJob, deletion: Operation, written: readonly Written[]): Promise<void> {
  for (const state of (await job.ledger.loaded(deletion.item)).operations.values())
    if (state.id !== deletion.id && state.state !== "begun") await close(job, state);
  const forgotten = written.map((each) => ({ ...each, facts: { deleted: true } }));
  await job.ledger.done(deletion, { written: forgotten, missing: [], issues: [] });
}
