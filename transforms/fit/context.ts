import type { Key } from "../../src/core/model/key.js";
import type { SiteLimits, Size } from "./limits.js";
import type { Resizing } from "./resized-key.js";

/**
 * What happens to content that a site would not take.
 * `refuse`: the item is not sent. `split`: its parts are moved to where they fit, and nothing is lost that can be moved.
 * `trim`: what is too much is cut.
 */
export type FitPolicy = "refuse" | "split" | "trim";

/** What happens to an image that is smaller than a step takes, under `split` and `trim`: another size, or a loss. */
export type SmallImages = Resizing | "drop";

/** What the rules may ask. All of it pure: equal questions, equal answers. */
export interface FitContext {
  readonly limits: SiteLimits;
  readonly policy: FitPolicy;
  /** Wiki text as it will be sent, at its longest: a reference may become an absolute link. Lengths are checked on it. */
  readonly measure: (text: string) => string;
  /** The pixels of an image; undefined: not known, then it is taken to be large enough. */
  readonly imageSize: (key: Key) => Size | undefined;
  /** What is done with images that are smaller than a step takes. Default `drop`. */
  readonly smallImages?: SmallImages;
  /** Why an image can't be given another size; null: it can. Absent: none can. */
  readonly notResizable?: (key: Key) => string | null;
  /** Whether `fitMedia` refused a media item; whoever uses it has to do without. */
  readonly mediaRefused: (key: Key) => boolean;
  /** Is whom a USER or TEAM page is about at the target too? Absent: nobody is. */
  readonly isThere?: (page: Key) => boolean;
  /** Does a map of people call whom a USER or TEAM page is about nobody? Absent: no. */
  readonly isNobody?: (page: Key) => boolean;
}
