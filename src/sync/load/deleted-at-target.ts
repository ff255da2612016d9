import type { Ledger } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Loaded, Written } from "../../core/writing.js";
import { type Control, throwIfStopped } from "../control.js";
import type { Checked } from "./check.js";
import { type DeletedItem, deletedItems, recreationIssue } from "./deleted-at-source.js";
import { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import { mentioned } from "./mentions.js";
import type { Recreation } from "./recreate.js";
import { Referrers } from "./referrers.js";

interface Deleted {
  readonly key: Key;
  /** The same key, or that of the item that a transform made it of. */
  readonly item: Key;
}

/** Things of the ledger that no longer exist at the source, on the target, or at both. */
export interface Deletions {
  /** Deleted at the source, and still on the target. */
  readonly atSource: readonly DeletedItem[];
  readonly atBoth: readonly DeletedItem[];
  /** Deleted on the target, and still at the source. */
  readonly atTarget: readonly Deleted[];
}

/** Compares what earlier runs wrote with the workspace and the target's lists. Only reads. */
export async function findDeletions(
  job: Pick<LoadJob, "workspace" | "ledger" | "target" | "transforms" | "preview" | "options" | "control">,
  checked: Pick<Checked, "map">,
): Promise<Deletions> {
  if (job.options.toOrigin === true) return { atSource: [], atBoth: [], atTarget: [] };
  const items = await deletedItems(job);
  const ours = await remoteThings(job, checked);
  const things = [...items.flatMap(({ written }) => written), ...ours.values()];
  const absent = new Set<Key>();
  for await (const key of job.target.absent(things, job.control.abort)) absent.add(key);
  const isThere = ({ written }: DeletedItem): boolean => written.some(({ key }) => !absent.has(key));
  return {
    atSource: items.filter(isThere),
    atBoth: items.filter((item) => !isThere(item)),
    atTarget: [...ours].flatMap(([key, { item }]) => (absent.has(key) ? [{ key, item }] : [])),
  };
}

/** Nothing more of what the ledger has: a site may have a hundred thousand guides. */
interface RemoteThing extends Pick<Written, "key" | "id"> {
  readonly item: Key;
}

async function remoteThings(
  job: Pick<LoadJob, "ledger" | "preview">,
  { map }: Pick<Checked, "map">,
): Promise<ReadonlyMap<Key, RemoteThing>> {
  const ours = new Map<Key, RemoteThing>();
  for (const item of [...map.categories, ...map.wikis, ...map.guides]) {
    for (const key of new Set([item, ...piecesOf(job, item)])) {
      const written = await job.ledger.written(key);
      if (written !== undefined) ours.set(key, { key, id: written.id, item });
    }
  }
  return ours;
}

function piecesOf({ preview }: Pick<LoadJob, "preview">, item: Key): readonly Key[] {
  return (preview.keys.get(item) ?? []).filter((key) => kindOf(key) !== "step");
}

/** For a plan: the job as if the ledger did not have what somebody deleted on the target. */
export async function withoutDeleted<J extends OpeningJob>(
  job: J,
  checked: Checked,
  deleted: readonly Deleted[],
): Promise<J> {
  if (deleted.length === 0) return job;
  const lost = new Set<Key>();
  for (const { key, item } of deleted) {
    const { written } = await job.ledger.loaded(key);
    for (const thing of written.keys()) lost.add(thing);
    job.notes.add(recreationIssue(item, written.get(key)?.id ?? key));
  }
  const open = await openBy(job, checked, deleted, lost);
  return { ...job, ledger: ledgerWithout(job.ledger, lost, open) };
}

type OpeningJob = Pick<LoadJob, "workspace" | "ledger" | "target" | "source" | "transforms" | "control" | "notes">;

async function openBy(
  job: OpeningJob,
  checked: Checked,
  deleted: readonly Deleted[],
  lost: ReadonlySet<Key>,
): Promise<ReadonlySet<string>> {
  const own = new Set(deleted.map(({ key }) => key));
  const planner = new ItemPlanner(job, checked);
  const others = await new Referrers(job, checked.map, planner, lost, "referrer of what is deleted").of(lost);
  const open = new Set<string>();
  for (const item of new Set([...deleted.map((each) => each.item), ...others]))
    for await (const operation of planner.operations(item))
      if (own.has(operation.item) || mentioned(operation.call, lost, job.source).size > 0) open.add(operation.id);
  return open;
}

function ledgerWithout(ledger: Ledger, lost: ReadonlySet<Key>, open: ReadonlySet<string>): Ledger {
  const unlessLost = async <T>(key: Key, ask: () => Promise<T | undefined>): Promise<T | undefined> =>
    lost.has(key) ? undefined : ask();
  return {
    ...delegating(ledger),
    loaded: async (item) => without(await ledger.loaded(item), lost, open),
    outcome: async (operation) => (open.has(operation) ? null : ledger.outcome(operation)),
    idOf: (key) => unlessLost(key, () => ledger.idOf(key)),
    keyOf: async (kind, id) => {
      const key = await ledger.keyOf(kind, id);
      return key === undefined || lost.has(key) ? undefined : key;
    },
    written: (key) => unlessLost(key, () => ledger.written(key)),
    left: (key) => unlessLost(key, () => ledger.left(key)),
  };
}

function without({ operations, written }: Loaded, lost: ReadonlySet<Key>, open: ReadonlySet<string>): Loaded {
  return {
    operations: new Map([...operations].filter(([id]) => !open.has(id))),
    written: new Map([...written].filter(([key]) => !lost.has(key))),
  };
}

/** All methods of a ledger, some of which a caller replaces. */
export function delegating(ledger: Ledger): Ledger {
  return {
    begin: (operation, mark) => ledger.begin(operation, mark),
    done: (operation, receipt) => ledger.done(operation, receipt),
    failed: (operation, reason) => ledger.failed(operation, reason),
    close: (operations) => ledger.close(operations),
    noteRemote: (item, written) => ledger.noteRemote(item, written),
    orphans: () => ledger.orphans(),
    loaded: (item) => ledger.loaded(item),
    outcome: (operation) => ledger.outcome(operation),
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    knows: (kind) => ledger.knows(kind),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    keep: (item, thing, found, sent) => ledger.keep(item, thing, found, sent),
    namesPart: (title) => ledger.namesPart(title),
    takeMap: (things) => ledger.takeMap(things),
    mapped: () => ledger.mapped(),
    uploadOf: (kind, sha256) => ledger.uploadOf(kind, sha256),
    repairable: () => ledger.repairable(),
    waiting: () => ledger.waiting(),
    failures: () => ledger.failures(),
    report: (item, issues, note) => ledger.report(item, issues, note),
    forgetNotes: (item, kind) => ledger.forgetNotes(item, kind),
    issues: (item) => ledger.issues(item),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
    sample: (count) => ledger.sample(count),
    counts: () => ledger.counts(),
  };
}

interface ToCompare {
  readonly keys: readonly Key[];
  /** Items not read, since the target's lists show them; null: all are compared. */
  readonly listed: number | null;
}

/** The items to read back: all, or those that changed or are missing in the target's lists. */
export async function toCompare(
  job: Pick<LoadJob, "ledger" | "target" | "preview" | "control">,
  { map }: Pick<Checked, "map">,
  changed: ReadonlySet<Key> | undefined,
): Promise<ToCompare> {
  const all = [...map.categories, ...map.wikis, ...map.guides];
  if (changed === undefined) return { keys: all, listed: null };
  const others = (keys: readonly Key[]): readonly Key[] => keys.filter((key) => !changed.has(key));
  const rest = { ...map, categories: others(map.categories), wikis: others(map.wikis), guides: others(map.guides) };
  const ours = await remoteThings(job, { map: rest });
  const there = new Set([...ours.values()].map(({ item }) => item));
  for await (const key of job.target.absent([...ours.values()], job.control.abort)) {
    const item = ours.get(key)?.item;
    if (item !== undefined) there.delete(item);
  }
  return { keys: all.filter((key) => !there.has(key)), listed: there.size };
}

/** Opens what somebody deleted, so that the load recreates it. */
export async function recreateDeleted(
  recreation: Recreation,
  deleted: readonly Deleted[],
  control: Control,
): Promise<void> {
  for (const { key, item } of deleted) {
    throwIfStopped(control);
    await recreation.recreate(item, key);
  }
}
