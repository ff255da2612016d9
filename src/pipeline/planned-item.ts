import type { Issue } from "../model/issue.js";
import type { Key } from "../model/key.js";
import type { LoadParts } from "./load-job.js";

/** What would become of an item. */
export interface PlannedItem {
  readonly key: Key;
  readonly title: string;
  readonly action: "create" | "change" | "leave" | "refuse" | "adopt";
  /** Why it comes along, when it wasn't asked for by name. */
  readonly because: string | null;
  /** What would be done, in order: `guide 12 "…", step 3`. */
  readonly steps: readonly string[];
  /** Requests that change something; reads are not among them. */
  readonly requests: number;
  /** The same by what they do: `edit step`, `upload`. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly issues: readonly Issue[];
}

export interface PlanParts extends LoadParts {
  /** Writes a second at the target; null: no limit. */
  readonly rate: number | null;
  /** Why items come that were not asked for, from the selection. */
  readonly because: ReadonlyMap<Key, string>;
}
