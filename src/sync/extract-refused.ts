import { isObject } from "../service/wire/place.js";
import type { Key } from "../core/model/key.js";
import { digest } from "../core/util/digest.js";
import type { ItemStore } from "../storage/workspace/item-store.js";
import { readStored } from "./extract-stored.js";

/** The families that the site refuses, with its status: the next run asks each of them once only. Ours, no answer of the site. */
export const REFUSED_RECORD: Key = "record/refused";

/** The families that were refused when they were asked last, with the status. */
export async function refusedFamilies(items: ItemStore): Promise<ReadonlyMap<string, number>> {
  const item = await readStored(items, REFUSED_RECORD);
  const answer = item?.kind === "record" && isObject(item.body.answer) ? item.body.answer : {};
  return new Map(Object.entries(answer).map(([family, status]) => [family, Number(status)]));
}

/** Kept for the next run, in the order of the paths; written only when it is another than before. */
export async function rememberRefused(items: ItemStore, refused: ReadonlyMap<string, number>): Promise<void> {
  const answer = Object.fromEntries([...refused].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const revision = digest(answer);
  const before = items.entry(REFUSED_RECORD);
  if (before === undefined ? refused.size === 0 : before.revision === revision) return;
  const entry = await items.put({
    key: REFUSED_RECORD,
    kind: "record",
    revision,
    raw: null,
    media: [],
    translations: [],
    issues: [],
    body: { path: "refused", query: {}, status: 200, readAt: 0, answer },
  });
  items.listed(entry);
}
