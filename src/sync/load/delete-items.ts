import type { Ledger } from "../../core/contracts.js";
import { ConflictError } from "../../core/errors.js";
import { type Key, kindOf, wikiKey } from "../../core/model/key.js";
import type { Operation, Receipt, Written } from "../../core/writing.js";

import { throwIfStopped } from "../control.js";
import { type Needs, waves } from "../order.js";
import { type DeletedItem, deletionId, deletionIssue, deletionOf } from "./deleted-at-source.js";
import type { Deletions } from "./deleted-at-target.js";
import type { ItemWriters } from "./load-item.js";
import type { LoadJob } from "./load-job.js";
import type { OperationWriter } from "./perform.js";
import { Referrers } from "./referrers.js";
import { TRANSFORMED } from "./transform-preview.js";
import type { LoadMap } from "./write-context.js";

type Deleters = Pick<ItemWriters, "planner" | "writer" | "recreation">;

type Each = (keys: readonly Key[], work: (key: Key) => Promise<void>) => Promise<void>;

/**
 * Deletes on the target what was deleted at the source, reopens its referrers, and returns the
 * number of deleted items. What somebody edited is kept and reported. The next run completes a run
 * that was killed in between.
 */
export async function deleteAtTarget(
  job: Pick<LoadJob, "workspace" | "ledger" | "source" | "control">,
  map: LoadMap,
  writers: Deleters,
  { atSource, atBoth }: Pick<Deletions, "atSource" | "atBoth">,
  each: Each,
): Promise<number> {
  const { ledger } = job;
  const doomed = new Map(atSource.filter(({ keptBecause }) => keptBecause === null).map((item) => [item.key, item]));
  const deleted = new Map<Key, readonly Deletion[]>();
  const going = new Set(guideIds(atBoth));
  for (const wave of await deletionWaves(job, [...doomed.keys()])) {
    for (const id of guideIds(wave.flatMap((key) => doomed.get(key) ?? []))) going.add(id);
    await each(wave, async (key) => {
      throwIfStopped(job.control);
      const item = doomed.get(key);
      const done = item === undefined ? undefined : await deleteItem(ledger, writers.writer, item, going);
      if (done !== undefined) deleted.set(key, done);
    });
  }
  const away = await alreadyDeleted(ledger, atBoth);
  const keys = new Set(
    [...away, ...[...deleted.values()].flat()].flatMap(({ receipt }) => receipt.written.map(({ key }) => key)),
  );
  // The reference becomes a link to the old site, or is left out.
  if (keys.size > 0) {
    const referrers = new Referrers(job, map, writers.planner, keys, "referrer of what was deleted");
    await writers.recreation.reopenReferrers(keys, undefined, referrers);
  }
  for (const { operation, receipt } of away) await forget(ledger, operation, receipt.written);
  for (const { key } of atBoth) await ledger.report(key, []);
  for (const [key, done] of deleted) {
    for (const { operation, receipt } of done) await forget(ledger, operation, receipt.written);
    await ledger.report(key, [deletionIssue(key, doomed.get(key)?.written ?? [], null)]);
  }
  return deleted.size;
}

function guideIds(items: readonly DeletedItem[]): readonly string[] {
  return items.flatMap(({ written }) => written.flatMap(({ key, id }) => (kindOf(key) === "guide" ? [id] : [])));
}

interface Deletion {
  readonly operation: Operation;
  readonly receipt: Receipt;
}

async function alreadyDeleted(ledger: Ledger, forgotten: readonly DeletedItem[]): Promise<readonly Deletion[]> {
  const done: Deletion[] = [];
  for (const each of forgotten.flatMap(({ written }) => written)) {
    const parts = (await ledger.loaded(each.key)).written.values();
    done.push({ operation: deletionOf(each), receipt: { written: [each, ...parts], missing: [], issues: [] } });
  }
  return done;
}

/** Guides before their prerequisites, then pages, then categories before their parents. */
async function deletionWaves(
  job: Pick<LoadJob, "workspace">,
  keys: readonly Key[],
): Promise<readonly (readonly Key[])[]> {
  const needs = await needsOf(job, keys);
  const of = (kind: string): readonly Key[] => keys.filter((key) => kindOf(key) === kind);
  return [...waves(of("guide"), needs).toReversed(), of("wiki"), ...waves(of("category"), needs).toReversed()];
}

async function needsOf({ workspace }: Pick<LoadJob, "workspace">, keys: readonly Key[]): Promise<Needs> {
  const needs = new Map<Key, readonly Key[]>();
  for (const key of keys) {
    const item = await workspace.items.get(key);
    if (item?.kind === "guide") needs.set(key, item.body.prerequisites);
    if (item?.kind === "category" && item.body.parent !== null) needs.set(key, [wikiKey("CATEGORY", item.body.parent)]);
  }
  return needs;
}

async function deleteItem(
  ledger: Ledger,
  writer: OperationWriter,
  item: DeletedItem,
  going: ReadonlySet<string>,
): Promise<readonly Deletion[] | undefined> {
  const done: Deletion[] = [];
  try {
    for (const written of item.written) {
      const { operations } = await ledger.loaded(written.key);
      const { prerequisites } = (await ledger.left(written.key)) ?? {};
      const needed = Array.isArray(prerequisites) ? prerequisites.map(String) : [];
      const gone = needed.filter((id) => going.has(id));
      const operation = deletionOf(written, { tags: tagsIn(written.key, operations.keys()), gone });
      const receipt = await writer.delete(operation);
      done.push({ operation, receipt });
    }
    return done;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    await ledger.report(item.key, [
      deletionIssue(
        item.key,
        item.written,
        "somebody edited it there since guideferry last wrote it, or put something into it",
      ),
    ]);
    return undefined;
  }
}

function tagsIn(key: Key, operations: Iterable<string>): readonly string[] {
  const prefix = `${key}/tag/`;
  return [...operations].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
}

export async function reportDeletions(
  job: Pick<LoadJob, "workspace" | "ledger">,
  { atSource }: Pick<Deletions, "atSource">,
): Promise<void> {
  await forgetReported(job);
  for (const { key, written, keptBecause } of atSource)
    if (keptBecause !== null) await job.ledger.report(key, [deletionIssue(key, written, keptBecause)]);
}

async function forgetReported({ workspace, ledger }: Pick<LoadJob, "workspace" | "ledger">): Promise<void> {
  for (const kind of TRANSFORMED) {
    for (const { key, state } of workspace.items.entries(kind))
      if (state === "gone" && (await isDeleted(ledger, key))) await ledger.report(key, []);
  }
}

async function isDeleted(ledger: Ledger, key: Key): Promise<boolean> {
  return (await ledger.written(key)) === undefined && (await ledger.loaded(key)).operations.has(deletionId(key));
}

/**
 * Closes all operations of a deleted thing, so that it is created again if the source has it again.
 */
async function forget(ledger: Ledger, deletion: Operation, written: readonly Written[]): Promise<void> {
  const { operations } = await ledger.loaded(deletion.item);
  const others = [...operations.values()].filter(({ id, state }) => id !== deletion.id && state !== "begun");
  await ledger.close(others.map(({ id }) => id));
  await ledger.forgetNotes(deletion.item);
  const forgotten = written.map((each) => ({ ...each, facts: { deleted: true } }));
  await ledger.done(deletion, { written: forgotten, missing: [], issues: [] });
}
