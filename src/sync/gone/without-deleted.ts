import type { Ledger, Loaded } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { Checked } from "../check.js";
import type { LoadJob } from "../load-job.js";
import { mentioned } from "../mentions.js";
import { operationsOf, Referrers } from "../referrers.js";
import { noteMadeAnew } from "./note-gone.js";
import type { Deleted } from "./sweep.js";

/**
 * The job as it is when what somebody deleted at the target is to be made anew, for a plan: nothing is noted. The ledger doesn't know those
 * things, and what refers to them is open again.
 */
export async function withoutDeleted(job: LoadJob, checked: Checked, deleted: readonly Deleted[]): Promise<LoadJob> {
  if (deleted.length === 0) return job;
  const lost = new Set<Key>();
  for (const { key, item } of deleted) {
    const { written } = await job.ledger.loaded(key);
    for (const thing of written.keys()) lost.add(thing);
    job.notes.add(noteMadeAnew(item, written.get(key)?.id ?? key));
  }
  const open = await openBy(job, checked, deleted, lost);
  return { ...job, ledger: ledgerWithout(job.ledger, lost, open) };
}

/** The ids of the operations that are to be done again. */
async function openBy(
  job: LoadJob,
  checked: Checked,
  deleted: readonly Deleted[],
  lost: ReadonlySet<Key>,
): Promise<ReadonlySet<string>> {
  const own = new Set(deleted.map(({ key }) => key));
  const others = await new Referrers(job, checked, lost, "referrer of what is deleted").of(lost);
  const open = new Set<string>();
  for (const item of new Set([...deleted.map((each) => each.item), ...others]))
    for await (const operation of operationsOf(job, checked, item))
      if (own.has(operation.item) || mentioned(operation.call, lost, job.source).size > 0) open.add(operation.id);
  return open;
}

/** Everything else is asked of the ledger itself. */
function ledgerWithout(ledger: Ledger, lost: ReadonlySet<Key>, open: ReadonlySet<string>): Ledger {
  const unlessLost = async <T>(key: Key, ask: () => Promise<T | undefined>): Promise<T | undefined> =>
    lost.has(key) ? undefined : ask();
  return {
    ...delegating(ledger),
    loaded: async (item) => without(await ledger.loaded(item), lost, open),
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

function delegating(ledger: Ledger): Ledger {
  return {
    begin: (operation, mark) => ledger.begin(operation, mark),
    done: (operation, receipt) => ledger.done(operation, receipt),
    failed: (operation, reason) => ledger.failed(operation, reason),
    orphans: () => ledger.orphans(),
    loaded: (item) => ledger.loaded(item),
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
    report: (item, issues) => ledger.report(item, issues),
    issues: (item) => ledger.issues(item),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
    sample: (count) => ledger.sample(count),
    counts: () => ledger.counts(),
  };
}
