import type { Body, Context, FindStanding, Operation, Receipt, Standing } from "../../core/contracts.js";
import { ConflictError } from "../../core/errors.js";
import { type Key, kindOf, wikiKey } from "../../core/model/key.js";
import type { Checked } from "../check.js";
import { halt } from "../halt.js";
import type { LoadJob } from "../load-job.js";
import { reopenReferrers } from "../make-anew.js";
import { type Needs, waves } from "../order.js";
import type { Performer } from "../perform.js";
import { refuseUnplanned } from "../plan/refuse-unplanned.js";
import { Referrers } from "../referrers.js";
import { deletionOf } from "./deletion-of.js";
import { forget } from "./forget.js";
import type { GoneItem } from "./gone-items.js";
import { noteGone } from "./note-gone.js";
import type { Swept } from "./sweep.js";

/** Does something with each of the keys, and counts what fails, as the phases of a load do. */
export type Each = (keys: readonly Key[], work: (key: Key) => Promise<void>) => Promise<void>;

/**
 * Deletes at the target what is gone at the source, and lets what referred to it be written again; gives the number of items that were
 * deleted. What somebody edited there is left, and listed. A run that is killed meanwhile finds the rest, and what is
 * deleted already, in the next one.
 */
export async function deleteGone(
  performer: Performer,
  checked: Checked,
  { gone, forgotten }: Pick<Swept, "gone" | "forgotten">,
  each: Each,
): Promise<number> {
  const { job } = performer;
  const doomed = new Map(gone.filter(({ stays }) => stays === null).map((item) => [item.key, item]));
  const deleted = new Map<Key, readonly Done[]>();
  const going = new Set(guideIds(forgotten));
  for (const wave of await deletionWaves(job, [...doomed.keys()])) {
    for (const id of guideIds(wave.flatMap((key) => doomed.get(key) ?? []))) going.add(id);
    await each(wave, async (key) => {
      halt(job.control);
      const item = doomed.get(key);
      const done = item === undefined ? undefined : await deleteItem(performer, item, going);
      if (done !== undefined) deleted.set(key, done);
    });
  }
  const away = await doneAlready(job, forgotten);
  await reopenOthers(performer, checked, [...away, ...[...deleted.values()].flat()]);
  for (const { operation, receipt } of away) await forget(job, operation, receipt.written);
  for (const { key } of forgotten) await job.ledger.report(key, []);
  for (const [key, done] of deleted) {
    for (const { operation, receipt } of done) await forget(job, operation, receipt.written);
    await job.ledger.report(key, [noteGone(key, doomed.get(key)?.written ?? [], null)]);
  }
  return deleted.size;
}

/** The ids that guides have at the target. */
function guideIds(items: readonly GoneItem[]): readonly string[] {
  return items.flatMap(({ written }) => written.flatMap(({ key, id }) => (kindOf(key) === "guide" ? [id] : [])));
}

/** A thing that was deleted. */
interface Done {
  readonly operation: Operation;
  readonly receipt: Receipt;
}

/** What is at neither end any more: somebody deleted it, or a run of ours that was killed then. */
async function doneAlready(job: LoadJob, forgotten: readonly GoneItem[]): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const each of forgotten.flatMap(({ written }) => written)) {
    const parts = (await job.ledger.loaded(each.key)).written.values();
    done.push({ operation: deletionOf(each), receipt: { written: [each, ...parts], missing: [], issues: [] } });
  }
  return done;
}

/** Guides before what they need, pages, categories before those above them. */
async function deletionWaves(job: LoadJob, keys: readonly Key[]): Promise<readonly (readonly Key[])[]> {
  const needs = await needsOf(job, keys);
  const of = (kind: string): readonly Key[] => keys.filter((key) => kindOf(key) === kind);
  return [...waves(of("guide"), needs).toReversed(), of("wiki"), ...waves(of("category"), needs).toReversed()];
}

async function needsOf({ workspace }: LoadJob, keys: readonly Key[]): Promise<Needs> {
  const needs = new Map<Key, readonly Key[]>();
  for (const key of keys) {
    const item = await workspace.items.get(key);
    if (item?.kind === "guide") needs.set(key, item.body.prerequisites);
    if (item?.kind === "category" && item.body.parent !== null) needs.set(key, [wikiKey("CATEGORY", item.body.parent)]);
  }
  return needs;
}

/** undefined: somebody edited it since, and it stays. */
async function deleteItem(
  performer: Performer,
  item: GoneItem,
  going: ReadonlySet<string>,
): Promise<readonly Done[] | undefined> {
  const { job } = performer;
  const done: Done[] = [];
  try {
    for (const written of item.written) {
      const { operations } = await job.ledger.loaded(written.key);
      const { prerequisites } = (await job.ledger.left(written.key)) ?? {};
      const needed = Array.isArray(prerequisites) ? prerequisites.map(String) : [];
      const gone = needed.filter((id) => going.has(id));
      const operation = deletionOf(written, { tags: tagsIn(written.key, operations.keys()), gone });
      refuseUnplanned(job, operation);
      const receipt = await job.target.apply(operation, contextFor(performer, operation), job.control.abort);
      done.push({ operation, receipt });
    }
    return done;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    await job.ledger.report(item.key, [
      noteGone(item.key, item.written, "somebody edited it there since we last wrote it, or put something into it"),
    ]);
    return undefined;
  }
}

/** The tags that we put on a thing, from the ids of the operations that did. */
function tagsIn(key: Key, operations: Iterable<string>): readonly string[] {
  const prefix = `${key}/tag/`;
  return [...operations].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
}

function contextFor({ job, context }: Performer, { item }: Operation): Context {
  return {
    ...context,
    begin: () => Promise.resolve(),
    keep: (thing: string, found?: Standing | FindStanding, sent?: Body) => job.ledger.keep(item, thing, found, sent),
  };
}

/** What still refers to it at the source is written once more: its reference becomes a link to the old site, or is left out. */
async function reopenOthers(performer: Performer, checked: Checked, done: readonly Done[]): Promise<void> {
  const keys = new Set(done.flatMap(({ receipt }) => receipt.written.map(({ key }) => key)));
  if (keys.size === 0) return;
  const referrers = new Referrers(performer.job, checked, keys, "referrer of what was deleted");
  await reopenReferrers({ ...performer, referrers }, checked, keys);
}
