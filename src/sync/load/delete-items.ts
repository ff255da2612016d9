import type { Ledger } from "../../core/contracts.js";
import { BrakeError, ConflictError } from "../../core/errors.js";
import { type Key, kindOf, wikiKey } from "../../core/model/key.js";
import type { Operation, Receipt, Written } from "../../core/writing.js";

import { DEFAULT_DELETION_LIMIT, type DeletionLimit, throwIfStopped } from "../control.js";
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

/** Works on each key and counts what fails. */
type Each = (keys: readonly Key[], work: (key: Key) => Promise<void>) => Promise<void>;

/**
 * Deletes at the target what is deleted at the source, reopens its referrers, and returns the
 * number of deleted items. What somebody edited there stays and is reported. A run that is killed
 * meanwhile is completed by the next one.
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
  // Its referrers are written again: the reference becomes a link to the old site, or is left out.
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

/** Things deleted at both ends: by somebody, or by a run of ours that was killed then. */
async function alreadyDeleted(ledger: Ledger, forgotten: readonly DeletedItem[]): Promise<readonly Deletion[]> {
  const done: Deletion[] = [];
  for (const each of forgotten.flatMap(({ written }) => written)) {
    const parts = (await ledger.loaded(each.key)).written.values();
    done.push({ operation: deletionOf(each), receipt: { written: [each, ...parts], missing: [], issues: [] } });
  }
  return done;
}

/** Guides before what they need, then pages, then categories before their parents. */
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
        "somebody edited it there since we last wrote it, or put something into it",
      ),
    ]);
    return undefined;
  }
}

/** The tags that we put on a thing, from the ids of the operations that did. */
function tagsIn(key: Key, operations: Iterable<string>): readonly string[] {
  const prefix = `${key}/tag/`;
  return [...operations].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
}

const NAMED = 5;

/**
 * Throws BrakeError, before anything is written, when more is to be deleted than `--max-deletions`
 * allows.
 */
export async function refuseTooManyDeletions(
  job: Pick<LoadJob, "workspace" | "ledger" | "options" | "survey">,
  gone: readonly DeletedItem[],
): Promise<void> {
  const doomed = gone.filter(({ keptBecause }) => keptBecause === null);
  if (doomed.length === 0) return;
  const all = await countWritten(job);
  if (!isTooMuch(doomed.length, all, job.options.maxDeletions ?? DEFAULT_DELETION_LIMIT)) return;
  const names = doomed.slice(0, NAMED).map(({ key, title }) => `${key} ${JSON.stringify(title)}`);
  const more = doomed.length > NAMED ? `, and ${doomed.length - NAMED} more` : "";
  throw new BrakeError(
    `Stopped by --max-deletions: ${doomed.length} of the ${all} items that this workspace wrote at ${job.survey.identity.root} are gone at the source ` +
      `(${countsOf(doomed)}), and --delete-gone would delete them: ${names.join(", ")}${more}. Nothing was written. Look at whether the source is whole; ` +
      "to delete them, run the same command with --max-deletions 100%; without --delete-gone they stay, and are listed.",
  );
}

/** A single item may always be deleted, unless the limit is 0 or it is the last one. */
function isTooMuch(doomed: number, all: number, limit: DeletionLimit): boolean {
  if ("count" in limit) return doomed > limit.count;
  if (limit.share >= 1) return false;
  const few = limit.share > 0 && all > 1 ? 1 : 0;
  return doomed > Math.max(few, Math.floor(limit.share * all));
}

/** Guides and pages that this ledger has at the target, also those that are gone at the source. */
async function countWritten({ workspace, ledger }: Pick<LoadJob, "workspace" | "ledger">): Promise<number> {
  let count = 0;
  for (const kind of TRANSFORMED) {
    for (const { key } of workspace.items.entries(kind)) {
      const written = await ledger.written(key);
      if (written !== undefined && !written.adopted) count += 1;
    }
  }
  return count;
}

function countsOf(items: readonly DeletedItem[]): string {
  const count = (kind: string, one: string, many: string): readonly string[] => {
    const number = items.filter(({ key }) => kindOf(key) === kind).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  };
  return [
    ...count("guide", "guide", "guides"),
    ...count("category", "category", "categories"),
    ...count("wiki", "page", "pages"),
  ].join(", ");
}

/** Also removes what earlier runs reported of deletions. */
export async function reportDeletions(
  job: Pick<LoadJob, "workspace" | "ledger">,
  { atSource }: Pick<Deletions, "atSource">,
): Promise<void> {
  await forgetReported(job);
  for (const { key, written, keptBecause } of atSource)
    if (keptBecause !== null) await job.ledger.report(key, [deletionIssue(key, written, keptBecause)]);
}

/** A deletion is reported by the run that made it. */
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
