import { ownCopyKey } from "../service/target/attachable.js";
import type { Context, Operation } from "../core/contracts.js";
import type { Item } from "../core/model/item.js";
import { type Key, kindOf } from "../core/model/key.js";
import type { HomeDesk } from "./home-desk.js";
import { ownId } from "../core/model/own-id.js";
import { noteShown } from "./shown-media.js";

/** Documents and videos that an item shows by itself, and not only in a text. */
export function attachedMedia(item: Item): ReadonlySet<Key> {
  if (item.kind === "wiki" || item.kind === "category") return new Set(item.body.documents);
  if (item.kind !== "guide") return new Set();
  const videos = item.body.steps.flatMap(({ media }) => (media.type === "video" ? [media.video] : []));
  const { introductionVideo } = item.body;
  return new Set([...item.body.documents, ...videos, ...(introductionVideo === null ? [] : [introductionVideo])]);
}

/**
 * Sees to it that the account may put a document or video of the site into a thing that doesn't show it now. There is no call that copies
 * one of somebody else's into the account's media manager, as there is for images: it is uploaded there once more.
 *
 * @param user the item that shows it
 */
export async function ensureOwn(desk: HomeDesk, key: Key, user: Key): Promise<void> {
  const { ledger, contents, homeSite, target, control } = desk;
  const copy = ownCopyKey(key);
  const kind = kindOf(key);
  if ((kind !== "video" && kind !== "document") || (await ledger.written(copy)) !== undefined) return;
  if (await homeSite.manages(kind, Number(ownId(key)), control.abort)) return;
  const row = await contents.row(key);
  const item = row === undefined ? undefined : await contents.item(row);
  const nothing = { operations: new Map(), written: new Map() };
  for (const upload of item === undefined ? [] : target.plan({ ...item, key: copy } as Item, nothing)) {
    desk.journal.note(user, "upload", `upload of ${key}, which is not the account's own`);
    const receipt = await target.apply(upload, contextOf(desk, upload), control.abort);
    await ledger.done(upload, receipt);
    for (const { id } of receipt.written) await noteShown(ledger, `${kindOf(key)}/${id}`, key);
  }
}

function contextOf({ ledger, workspace }: HomeDesk, operation: Operation): Context {
  return {
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    keep: (thing, found, sent) => ledger.keep(operation.item, thing, found, sent),
    moves: () => true,
    addressOf: () => undefined,
    bytes: (sha256) => workspace.media.open(sha256),
    // What is begun here and gets no answer is looked for by the next load.
    begin: (mark) => ledger.begin(operation, { ...mark, operation }),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}
