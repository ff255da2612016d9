import type { Context, Ledger } from "../../core/contracts.js";
import type { Guide, Item, Wiki } from "../../core/model/item.js";
import { type Key, kindOf, ownId } from "../../core/model/key.js";
import { objectIn } from "../../core/util/json.js";
import type { Operation } from "../../core/writing.js";
import { embedMemo } from "../../service/target/identity.js";
import { ownCopyKey } from "../../service/target/media.js";
import { stepsIn } from "../../service/target/written-body.js";
import type { OriginLedger } from "./origin-ledger.js";
import type { RestoreContext } from "./restore-context.js";

/** Documents and videos that an item uses outside of its texts. */
export function attachedMedia(item: Item): ReadonlySet<Key> {
  if (item.kind === "wiki" || item.kind === "category") return new Set(item.body.documents);
  if (item.kind !== "guide") return new Set();
  const videos = item.body.steps.flatMap(({ media }) => (media.type === "video" ? [media.video] : []));
  const { introductionVideo } = item.body;
  return new Set([...item.body.documents, ...videos, ...(introductionVideo === null ? [] : [introductionVideo])]);
}

/**
 * Uploads a document or video of another user again, since an account can attach only its own, and
 * no call copies them, as one does for images.
 *
 * @param user the item that uses it
 */
export async function ensureOwn(context: RestoreContext, key: Key, user: Key): Promise<void> {
  const { ledger, contents, originSite, target, control } = context;
  const copy = ownCopyKey(key);
  const kind = kindOf(key);
  if ((kind !== "video" && kind !== "document") || (await ledger.written(copy)) !== undefined) return;
  if (await originSite.manages(kind, Number(ownId(key)), control.abort)) return;
  const row = await contents.row(key);
  const item = row === undefined ? undefined : await contents.item(row);
  const nothing = { operations: new Map(), written: new Map() };
  for (const upload of item === undefined ? [] : target.plan({ ...item, key: copy } as Item, nothing)) {
    context.journal.note(user, "upload", `upload of ${key}, since it is not in the account's media manager`);
    const receipt = await target.apply(upload, contextOf(context, upload), control.abort);
    await ledger.done(upload, receipt);
    for (const { id } of receipt.written) await noteShown(ledger, `${kindOf(key)}/${id}`, key);
  }
}

function contextOf({ ledger, workspace }: RestoreContext, operation: Operation): Context {
  return {
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    keep: (thing, found, sent) => ledger.keep(operation.item, thing, found, sent),
    moves: () => true,
    addressOf: () => undefined,
    bytes: (sha256) => workspace.media.read(sha256),
    // The next load looks for a begun upload that got no answer.
    begin: (mark) => ledger.begin(operation, { ...mark, operation }),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

/** The `objectid` of the embed of each step, where the answer had one (api-facts 3.5). */
function embedsOf(item: Item): ReadonlyMap<Key, number> {
  if (item.kind !== "guide") return new Map();
  const shows = new Set(item.body.steps.flatMap(({ key, media }) => (media.type === "embed" ? [key] : [])));
  const found = stepsIn(objectIn(item.raw)["json"]).flatMap(({ stepid, media }): readonly [Key, number][] => {
    const { objectid } = objectIn(objectIn(media)["data"]);
    const key: Key = `step/${String(stepid)}`;
    return typeof objectid === "number" && shows.has(key) ? [[key, objectid]] : [];
  });
  return new Map(found);
}

/** The embeds that the account can attach: only its own (api-facts 4.5), and no call makes one. */
export async function ownEmbeds(
  { originSite, control }: RestoreContext,
  item: Item,
): Promise<ReadonlyMap<Key, number>> {
  const own = new Map<Key, number>();
  for (const [step, id] of embedsOf(item)) if (await originSite.manages("embed", id, control.abort)) own.set(step, id);
  return own;
}

export async function rememberEmbeds(
  { ledger }: RestoreContext,
  item: Item,
  again: ReadonlyMap<Key, number>,
): Promise<void> {
  for (const step of embedsOf(item).keys()) await ledger.remember(embedMemo(step), String(again.get(step) ?? ""));
}

/** A site gives attached images new ids (api-facts 4.5); the ledger notes the key of each. */
const memoOf = (shown: Key): string => `shows ${shown}`;

function noteShown(ledger: Ledger, shown: Key, key: Key): Promise<void> {
  return ledger.remember(memoOf(shown), key);
}

/** The item with the ids that the ledger has for its media, where they are known to be the same. */
export async function withKnownMedia(ledger: OriginLedger, item: Item): Promise<Item> {
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
 * Notes the ids that the site gave to the images of an item.
 *
 * @param isDone was the write of the item's own fields, or of a step, done?
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
