import type { GuideItem, Item } from "../core/model/item.js";
import { idIn, type Key } from "../core/model/key.js";
import { ownEmbeds, rememberEmbeds } from "./embeds.js";
import type { HomeDesk } from "./home-desk.js";
import { attachedMedia, ensureOwn } from "./own-copies.js";
import { keepItem, noteGoneMedium } from "./put-back.js";
import { forget } from "./seed.js";

/** What became of a guide that was deleted. */
export type BroughtBack = { readonly read: Item } | { readonly refusal: string };

/**
 * Asks the site to restore a deleted guide, which keeps its id, links and history then. A rehearsal takes it to be as it was: nobody can
 * see it until it is there again.
 */
export async function undelete(desk: HomeDesk, item: GuideItem): Promise<BroughtBack> {
  const { homeSite, reader, control, journal } = desk;
  journal.note(item.key, "restored by the site", "restored by the site");
  const refusal = await homeSite.undelete(idIn(item.key), item.body.language, control.abort);
  if (refusal !== undefined) return { refusal };
  if (desk.rehearses) {
    desk.ledger.noteAway(item.key);
    return { read: item };
  }
  const read = await reader.read(item.key, control.abort);
  return read === undefined ? { refusal: "the site said that it restored it, and it is not there" } : { read };
}

/** Makes everything ready for a load to make an item anew. Returns the keys that get other ids by that. */
export async function prepareAnew(desk: HomeDesk, item: Item): Promise<readonly Key[]> {
  await forget(desk, item.key);
  const keys = item.kind === "guide" ? [item.key, ...item.body.steps.map(({ key }) => key)] : [];
  for (const key of keys) desk.ledger.noteGone(key);
  for (const { key } of item.media) await noteGoneMedium(desk, key);
  for (const key of attachedMedia(item)) if (!desk.ledger.isGone(key)) await ensureOwn(desk, key, item.key);
  await rememberEmbeds(desk, item, await ownEmbeds(desk, item));
  await keepItem(desk, item);
  return keys;
}
