import type { PlannedItem } from "../planned-item.js";

/** One field of an item as it stands at the target and as it would be, as a person reads it. */
export interface TextChange {
  /** `step 3`; empty: the item itself. */
  readonly part: string;
  /** In the model's words: `introduction`. */
  readonly field: string;
  /** Empty: nothing stands there. */
  readonly before: string;
  /** `stays`: what it would have become. */
  readonly after: string;
  /** It stays as it is there, since somebody edited it: `clash` where the source changed it too and everything else is merged. */
  readonly stays?: "clash" | "edited";
}

/** An item with what its texts are before and after; empty where they were not asked for. */
export interface ShownItem {
  readonly item: PlannedItem;
  readonly changes: readonly TextChange[];
}
