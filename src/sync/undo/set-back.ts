import type { Earlier } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { UndoJob } from "./undo-job.js";

/** Gives an item the tags or the viewers that it had: only what we added is taken away, and only what we took away is given back. */
export async function setBack(job: UndoJob, earlier: Earlier): Promise<void> {
  const set = earlier.thing.startsWith("tags/") ? tagsBack : viewersBack;
  const id = await job.past.ledger.idOf(earlier.item);
  if (id !== undefined) await set(job, earlier, id);
  job.past.undone(job.run.id, earlier, [], "again");
}

async function tagsBack({ past, site, control }: UndoJob, { item, body, sent }: Earlier, id: string): Promise<void> {
  const prefix = `${item}/tag/`;
  const ours = await suffixes(past.ledger, item, prefix);
  if (sent?.["tag"] !== undefined) ours.add(String(sent["tag"]));
  const then = namesIn(body?.["tags"]);
  const now = await site.tags(item, id, control.abort);
  for (const tag of ours) {
    const wasSet = then.includes(tag);
    if (wasSet !== now.includes(tag)) await site.setTag(item, id, tag, wasSet, control.abort);
    if (!wasSet) past.forgetOperation(item, prefix + tag);
  }
}

async function viewersBack({ past, site, control }: UndoJob, { item, body, sent }: Earlier, id: string): Promise<void> {
  const prefix = `${item}/viewer/`;
  const ours = new Map<string, string | undefined>();
  if (sent?.["who"] !== undefined) ours.set(String(sent["who"]), undefined);
  for (const suffix of await suffixes(past.ledger, item, prefix)) {
    const who = await past.ledger.recall(prefix + suffix);
    if (who !== undefined) ours.set(who, prefix + suffix);
  }
  const then = [...whoIn("users", body?.["users"]), ...whoIn("teams", body?.["teams"])];
  const present = await site.viewers(id, control.abort);
  const now = [...whoIn("users", present?.users), ...whoIn("teams", present?.teams)];
  for (const [who, operation] of ours) {
    const wasSet = then.includes(who);
    if (wasSet !== now.includes(who)) await site.setViewer(id, who, wasSet, control.abort);
    if (!wasSet && operation !== undefined) past.forgetOperation(item, operation);
  }
}

async function suffixes(ledger: UndoJob["past"]["ledger"], item: Key, prefix: string): Promise<Set<string>> {
  const { operations } = await ledger.loaded(item);
  const ids = [...operations.keys()].filter((id) => id.startsWith(prefix));
  return new Set(ids.map((id) => id.slice(prefix.length)));
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function whoIn(folder: string, ids: unknown): readonly string[] {
  return namesIn(ids).map((id) => `${folder}/${id}`);
}
