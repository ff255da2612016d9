import { asJson, stepsIn } from "../service/target/as-left.js";
import { embedMemo } from "../service/target/embed-memo.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { HomeDesk } from "./home-desk.js";

/** The `objectid` of the embed that each step of an item showed, where its answer had one (api-facts 3.5). */
function embedsOf(item: Item): ReadonlyMap<Key, number> {
  if (item.kind !== "guide") return new Map();
  const shows = new Set(item.body.steps.flatMap(({ key, media }) => (media.type === "embed" ? [key] : [])));
  const found = stepsIn(asJson(item.raw)["json"]).flatMap(({ stepid, media }): readonly [Key, number][] => {
    const { objectid } = asJson(asJson(media)["data"]);
    const key: Key = `step/${String(stepid)}`;
    return typeof objectid === "number" && shows.has(key) ? [[key, objectid]] : [];
  });
  return new Map(found);
}

/** Those of them that the account may put in again: a step takes an embed of the caller's (api-facts 4.5), and no call makes one. */
export async function ownEmbeds({ homeSite, control }: HomeDesk, item: Item): Promise<ReadonlyMap<Key, number>> {
  const own = new Map<Key, number>();
  for (const [step, id] of embedsOf(item)) if (await homeSite.manages("embed", id, control.abort)) own.set(step, id);
  return own;
}

/** Notes which steps are to show their embed again; in the others what stands there stays. */
export async function rememberEmbeds({ ledger }: HomeDesk, item: Item, again: ReadonlyMap<Key, number>): Promise<void> {
  for (const step of embedsOf(item).keys()) await ledger.remember(embedMemo(step), String(again.get(step) ?? ""));
}
