import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { ownId } from "../../core/model/key.js";
import { revisionAsRead } from "../../service/target/written-body.js";
import { attachedMedia, ensureOwn, rememberEmbeds } from "./origin-media.js";
import { type Standing, standingOf } from "./remote-state.js";
import type { HomeDesk } from "./restore-context.js";
import { seed } from "./seed.js";

/**
 * Makes everything ready for a load to put an item back: what the site can do by itself is done,
 * and the ledger knows the rest.
 */
export async function preparePutBack(desk: HomeDesk, standing: Standing): Promise<Standing> {
  const now = await reverted(desk, standing);
  await prepareMedia(desk, now);
  await rememberEmbeds(desk, now.item, now.embeds);
  await keepItem(desk, now.item);
  await seed(desk, now);
  return now;
}

/** Lays an item into the workspace, for the load to find it. */
export async function keepItem({ workspace, contents }: HomeDesk, item: Item): Promise<void> {
  const row = await contents.row(item.key);
  // What was odd about it when it was read is old news to the site that it comes from.
  await workspace.items.put({ ...item, issues: [] }, row);
}

const PAGES: ReadonlySet<string> = new Set(["wiki", "category"]);

/**
 * Where both revisions of a page are known the site puts it back by itself, history and all; what
 * that does not cover is edited.
 */
async function reverted(desk: HomeDesk, standing: Standing): Promise<Standing> {
  const { item, present, open, paths } = standing;
  const [to, from] = [revisionAsRead(item), revisionAsRead(present)];
  // The display title stays as it is (api-facts 8.1).
  const covers = open.has(item.key) && paths.some((path) => path !== "displayTitle");
  if (!PAGES.has(item.kind) || !covers || to === undefined || from === undefined || to === from) return standing;
  desk.journal.note(item.key, "reverted by the site", `reverted to revision ${to} by the site`);
  const refusal = await desk.homeSite.revert(item.key, from, to, desk.control.abort);
  if (refusal !== undefined) return standing;
  const read = desk.rehearses ? asReverted(item, present) : await desk.reader.read(item.key, desk.control.abort);
  return read === undefined ? standing : standingOf(desk, item, read);
}

/** A page after a revert: what no revision holds stays (api-facts 4.6, 8.1). */
function asReverted(item: Item, present: Item): Item {
  if ((item.kind !== "wiki" && item.kind !== "category") || present.kind !== item.kind) return item;
  const { displayTitle, tags, parent } = present.body;
  return { ...item, body: { ...item.body, displayTitle, tags, parent } } as Item;
}

/**
 * Media that the item needs and doesn't show now may be gone, or not be the account's to put in:
 * then they are uploaded.
 */
async function prepareMedia(desk: HomeDesk, standing: Standing): Promise<void> {
  await noteGoneMedia(desk, standing);
  const { item, present } = standing;
  const [wanted, attached] = [attachedMedia(item), attachedMedia(present)];
  for (const key of wanted) if (!attached.has(key) && !desk.ledger.isGone(key)) await ensureOwn(desk, key, item.key);
}

/**
 * Looks which media of an item are gone: those that only its texts name can be so without any edit
 * of it.
 */
export async function noteGoneMedia(
  desk: HomeDesk,
  { item, present }: Pick<Standing, "item" | "present">,
): Promise<void> {
  const shown = new Set(present.media.map(({ key }) => key));
  for (const { key } of item.media) if (!shown.has(key)) await noteGoneMedium(desk, key);
}

/**
 * Looks whether a medium is still there; if not, its item lies in the workspace, to be uploaded.
 */
export async function noteGoneMedium(desk: HomeDesk, key: Key): Promise<void> {
  const { ledger, contents, workspace, target, control } = desk;
  if (ledger.isGone(key) || (await ledger.written(key)) !== undefined) return;
  if (await target.holds(key, ownId(key), control.abort)) return;
  const row = await contents.row(key);
  if (row === undefined) return;
  ledger.noteGone(key);
  await workspace.items.put(await contents.item(row), row);
}
