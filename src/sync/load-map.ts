import type { Key } from "../core/model/key.js";
import type { Moving } from "./moving.js";
import type { Needs } from "./order.js";

/** What the check of a workspace found, before anything is written: who moves, who is refused, who waits for whom. */
export interface LoadMap {
  /** Items that are to be loaded, in the order of keys: categories, other wikis, guides. */
  readonly categories: readonly Key[];
  readonly wikis: readonly Key[];
  readonly guides: readonly Key[];
  /** Guides in other languages than their own: loaded after them, and only where the target takes any. */
  readonly translations: readonly Key[];
  /** Items that the site would refuse and that are not sent. */
  readonly refused: ReadonlySet<Key>;
  /** Chosen items that another workspace moved to the target: they are not loaded. */
  readonly mapped: ReadonlySet<Key>;
  /** Media that will not be there: refused, or without bytes. */
  readonly mediaRefused: ReadonlySet<Key>;
  readonly moving: Moving;
  readonly needs: Needs;
}
