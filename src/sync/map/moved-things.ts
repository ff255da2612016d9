import { pageAddress } from "../../../transforms/references/old-address.js";
import type { SiteAddresses } from "../../../transforms/references/site-addresses.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { idIn, type Key, type Kind, kindOf, languageIn, restOf, wikiKey, wikiOf } from "../../core/model/key.js";
import { pathOf, titleAtTarget } from "../../service/target/identity.js";
import type { TargetStatus, WrittenThing } from "../../storage/ledger/target-status.js";

/** Kinds that have an address, pages first. */
const ADDRESSED: readonly Kind[] = ["category", "wiki", "guide", "image", "video", "document"];

export interface AddressMap {
  /** null: documents, which have no addresses. */
  readonly source: MapSite | null;
  readonly target: MapSite;
  /** All written and adopted things, by kind and key. Each call starts again. */
  things(): IterableIterator<MovedThing>;
}

export function addressMap(source: SiteIdentity, target: TargetStatus, steps: boolean): AddressMap {
  const old = source.origin === "" ? null : source;
  const { origin, hostname } = new URL(target.root);
  const now: MapSite = { root: target.root, origin, hosts: [], dialect: isIFixit(hostname) ? "ifixit" : "dozuki" };
  const kinds: readonly Kind[] = steps ? [...ADDRESSED, "step"] : ADDRESSED;
  return { source: old, target: now, things: () => thingsOf(kinds, target, old, now) };
}

function* thingsOf(
  kinds: readonly Kind[],
  target: TargetStatus,
  source: MapSite | null,
  now: MapSite,
): IterableIterator<MovedThing> {
  for (const kind of kinds) {
    for (const written of target.things(kind)) {
      const moved = movedThing(written, source, now);
      if (moved !== undefined) yield moved;
    }
  }
}

/** Not in the ledger: only iFixit's own sites have another path for categories. */
function isIFixit(hostname: string): boolean {
  return hostname === "ifixit.com" || hostname.endsWith(".ifixit.com");
}

export interface MovedThing {
  readonly kind: Kind;
  readonly key: Key;
  readonly title: string;
  /** A number; for a category its title, for another page `ITEM/Shuttle`. */
  readonly oldId: string;
  /** null: documents have no addresses. */
  readonly oldAddress: string | null;
  readonly newId: string;
  readonly newAddress: string;
  /** It existed on the target before the first load. */
  readonly adopted: boolean;
}

export interface MapSite extends SiteAddresses {
  readonly root: string;
}

/**
 * The old and new address of a written thing. A guide, category or wiki has a page. The address of
 * a step is its place on the page of its guide. An image, video or document has the address of its
 * detail in the API, since the site makes up the address of its file. undefined for a step that was
 * created by splitting another one: it has no old place.
 */
export function movedThing(thing: WrittenThing, source: MapSite | null, target: MapSite): MovedThing | undefined {
  const { key, id, title, adopted, item, itemId } = thing;
  const kind = kindOf(key);
  const moved = (oldAddress: string | null, newAddress: string): MovedThing => {
    return { kind, key, title: title ?? "", oldId: restOf(key), oldAddress, newId: id, newAddress, adopted };
  };
  if (kind === "step") {
    const oldPage = source === null ? undefined : pageAddress(item, source);
    const newPage = itemId === null ? undefined : pageAddress(`guide/${itemId}`, target);
    if (newPage === undefined || restOf(key).includes("+")) return undefined;
    return moved(oldPage === undefined ? null : `${oldPage}#s${restOf(key)}`, `${newPage}#s${id}`);
  }
  return moved(source === null ? null : addressOf(key, source), addressOf(keyAtTarget(key, id), target));
}

function addressOf(key: Key, site: MapSite): string {
  const page = languageIn(key) === undefined ? key : (`guide/${idIn(key)}` as const);
  return pageAddress(page, site) ?? `${site.root}/${pathOf(key, encodeURIComponent(restOf(key)))}`;
}

/** The key of a written thing as content of the target. */
export function keyAtTarget(key: Key, id: string): Key {
  const kind = kindOf(key);
  if (kind !== "wiki" && kind !== "category") return `${kind}/${id}`;
  return wikiKey(wikiOf(key).namespace, titleAtTarget(key, id));
}
