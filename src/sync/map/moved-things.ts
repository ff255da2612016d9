import type { SiteIdentity } from "../../core/contracts.js";
import type { Kind } from "../../core/model/key.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import { type MapSite, type MovedThing, movedThing } from "./moved-thing.js";

/** Kinds that have an address, pages first. */
const ADDRESSED: readonly Kind[] = ["category", "wiki", "guide", "image", "video", "document"];

/** What a map is made of. */
export interface AddressMap {
  /** null: documents, nothing of which has an address. */
  readonly source: MapSite | null;
  readonly target: MapSite;
  /** Everything that the ledger wrote or adopted, by kind and key; each call begins anew. */
  things(): IterableIterator<MovedThing>;
}

/** The map from a source to one target; `steps`: each step too, behind everything else. */
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

/** A ledger does not keep its target's dialect; only iFixit's own sites have another path for categories. */
function isIFixit(hostname: string): boolean {
  return hostname === "ifixit.com" || hostname.endsWith(".ifixit.com");
}
