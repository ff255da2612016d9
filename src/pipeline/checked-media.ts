import type { Size } from "../../transforms/fit/limits.js";
import type { Issue } from "../model/issue.js";
import type { Key } from "../model/key.js";

/** What the check found on media. */
export interface CheckedMedia {
  /** Media that will not be there: the site would refuse them, or they have no bytes. */
  readonly refused: ReadonlySet<Key>;
  readonly sizes: ReadonlyMap<Key, Size>;
  /** Of media with equal bytes the one that goes up, by `uploadKey`. */
  readonly uploads: ReadonlyMap<string, Key>;
  readonly issues: ReadonlyMap<Key, readonly Issue[]>;
}
