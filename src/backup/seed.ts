import type { Operation, OperationState, Receipt, Written } from "../core/contracts.js";
import type { Item } from "../core/model/item.js";
import { type Key, kindOf } from "../core/model/key.js";
import { isDone } from "../sync/load-item.js";
import { mentioned } from "../sync/mentions.js";
import type { HomeDesk } from "./home-desk.js";
import type { Standing } from "./standing.js";

/** Hash of an operation that is not done as anything that could be wanted. */
const NOT_AS_WANTED = "as the site stands";

/**
 * Tells the ledger of an item that the site stands as it does: what is there with its present revisions, and every operation as done that has
 * nothing to do. What is left for a load are the edits that put the item back. What an earlier run began and got no answer for stays begun.
 */
export async function seed(desk: HomeDesk, standing: Standing): Promise<void> {
  const { ledger } = desk;
  const { item, written, asIs, wanted, open } = standing;
  const before = await ledger.loaded(item.key);
  await ledger.done(markerOf(item.key), receiptOf([...forgotten(before.written), ...written]));
  const done = new Map<string, Operation>(asIs.map((operation) => [operation.id, operation]));
  for (const operation of wanted) if (!open.has(operation.id)) done.set(operation.id, operation);
  for (const state of before.operations.values()) {
    if (!done.has(state.id) && state.state !== "begun" && state.id !== markerOf(item.key).id)
      await ledger.done(outdated(state), receiptOf([]));
  }
  for (const operation of done.values()) await ledger.done(operation, receiptOf([]));
  await rememberViewers(desk, standing);
}

/** Notes that a thing of the site stands for an item, which the ledger forgot. */
export function adopt({ ledger }: HomeDesk, item: Key, written: readonly Written[]): Promise<void> {
  return ledger.done(markerOf(item), receiptOf(written));
}

/** What the ledger knows of an item is no more: it will be made anew. What an earlier run began and got no answer for stays begun. */
export async function forget({ ledger }: HomeDesk, item: Key): Promise<void> {
  const { operations, written } = await ledger.loaded(item);
  await ledger.done(markerOf(item), receiptOf(forgotten(written)));
  for (const state of operations.values())
    if (state.state !== "begun" && state.id !== markerOf(item).id) await ledger.done(outdated(state), receiptOf([]));
}

/**
 * Notes of what of an item is done that it names things which get other ids: it is written again as soon as they have them. Media are uploaded for what
 * names them, so that is not done.
 */
export async function noteMissing(desk: HomeDesk, item: Item, anew: ReadonlySet<Key>): Promise<void> {
  const loaded = await desk.ledger.loaded(item.key);
  for (const operation of desk.target.plan(item, loaded)) {
    const missing = isDone(operation, loaded) ? namesOf(desk, operation, anew) : [];
    if (missing.some((key) => MEDIA.has(kindOf(key)))) await desk.ledger.done(outdated(operation), receiptOf([]));
    else if (missing.length > 0) await desk.ledger.done(operation, { ...receiptOf([]), missing });
  }
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

/** Which of these keys the operation names as something else than what it is about. */
export function namesOf(desk: HomeDesk, operation: Operation, keys: ReadonlySet<Key>): readonly Key[] {
  const { call } = operation;
  const own = new Set<Key>([operation.item, ...(call.verb === "save-step" ? [call.step.key] : [])]);
  return [...mentioned(call, keys, desk.contents.manifest.site)].filter((key) => !own.has(key));
}

/** Who may not see a guide any more is taken out by the address that they were let in by. */
async function rememberViewers({ ledger }: HomeDesk, { present }: Standing): Promise<void> {
  if (present.kind !== "guide" || present.body.viewers === null) return;
  for (const kind of ["user", "team"] as const) {
    for (const { id } of present.body.viewers[`${kind}s`])
      await ledger.remember(`${present.key}/viewer/${kind}/${id}`, `${kind}s/${id}`);
  }
}

function forgotten(written: ReadonlyMap<Key, Written>): readonly Written[] {
  return [...written.values()].map((one) => ({ ...one, facts: { deleted: true } }));
}

function receiptOf(written: readonly Written[]): Receipt {
  return { written, missing: [], issues: [] };
}

/** What stands at the site is noted under it. */
function markerOf(item: Key): Operation {
  const call = { verb: "order-steps", guide: item, steps: [] } as const;
  const label = `${item}, as it stands at the site`;
  return { id: `${item}/present`, item, label, hash: NOT_AS_WANTED, phase: "main", needs: [], call };
}

function outdated({ id, item, label }: Pick<OperationState, "id" | "item" | "label">): Operation {
  return { ...markerOf(item), id, label };
}
