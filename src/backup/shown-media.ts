import type { Ledger } from "../core/contracts.js";
import type { Guide } from "../core/model/guide.js";
import type { Item } from "../core/model/item.js";
import { type Key, kindOf } from "../core/model/key.js";
import type { Wiki } from "../core/model/wiki.js";
import type { HomeLedger } from "./home-ledger.js";
import { ownId } from "../core/model/own-id.js";

/** A site gives pictures ids of their own when they are put into content (api-facts 4.5): which key each stands for is kept. */
const memoOf = (shown: Key): string => `shows ${shown}`;

/** Notes that a medium of the site is the same as one of the snapshot. */
export function noteShown(ledger: Ledger, shown: Key, key: Key): Promise<void> {
  return ledger.remember(memoOf(shown), key);
}

/** An item as it was read at the site, with media under the ids that their keys have in the ledger, where they are known to be the same. */
export async function withKnownMedia(ledger: HomeLedger, item: Item): Promise<Item> {
  const known = async (medium: Key): Promise<Key> => {
    const key = (await ledger.recall(memoOf(medium))) as Key | undefined;
    return key === undefined ? medium : `${kindOf(key)}/${(await ledger.idOf(key)) ?? ownId(key)}`;
  };
  if (item.kind === "guide") return { ...item, body: await guideWith(item.body, known) };
  if (item.kind === "wiki") return { ...item, body: await wikiWith(item.body, known) };
  return item.kind === "category" ? { ...item, body: await wikiWith(item.body, known) } : item;
}

async function guideWith(guide: Guide, known: (image: Key) => Promise<Key>): Promise<Guide> {
  const steps: Guide["steps"][number][] = [];
  for (const step of guide.steps) {
    const { media } = step;
    if (media.type !== "images") steps.push(step);
    else steps.push({ ...step, media: { ...media, images: await Promise.all(media.images.map(known)) } });
  }
  const { image, featuredDocument } = guide;
  return {
    ...guide,
    image: image === null ? null : await known(image),
    documents: await Promise.all(guide.documents.map(known)),
    featuredDocument: featuredDocument === null ? null : await known(featuredDocument),
    steps,
  };
}

async function wikiWith(wiki: Wiki, known: (image: Key) => Promise<Key>): Promise<Wiki> {
  const image = wiki.image === null ? null : await known(wiki.image);
  return { ...wiki, image, documents: await Promise.all(wiki.documents.map(known)) };
}

/**
 * Notes under which ids the site shows the images of an item, as far as they were put there as they should be.
 *
 * @param isDone was the write of the item's own fields, or of a step of it, done as the snapshot has it?
 */
export async function noteShownImages(
  ledger: Ledger,
  item: Item,
  isDone: (operation: string) => boolean,
): Promise<void> {
  for (const { key, operation, images } of placesOf(item)) {
    const written = images.length === 0 || !isDone(operation) ? undefined : await ledger.written(key);
    const shown = Array.isArray(written?.facts["images"]) ? written.facts["images"].map(String) : [];
    if (shown.length !== images.length) continue;
    for (const [place, image] of images.entries()) {
      const id = shown[place];
      if (id !== undefined && id !== ownId(image)) await noteShown(ledger, `image/${id}`, image);
    }
  }
}

interface Place {
  readonly key: Key;
  readonly operation: string;
  readonly images: readonly Key[];
}

function placesOf(item: Item): readonly Place[] {
  if (item.kind !== "guide" && item.kind !== "wiki" && item.kind !== "category") return [];
  const { image } = item.body;
  const own: Place = { key: item.key, operation: item.key, images: image === null ? [] : [image] };
  if (item.kind !== "guide") return [own];
  const steps = item.body.steps.map(({ key, media }): Place => {
    return { key, operation: `${item.key}/${key}`, images: media.type === "images" ? media.images : [] };
  });
  return [own, ...steps];
}
