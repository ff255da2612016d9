import type { Source } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { LoadParts } from "./load-job.js";

/** `gone`: deleted at the source, and stays at the target. */
export type PlannedAction = "create" | "change" | "leave" | "refuse" | "adopt" | "delete" | "gone";

export interface PlannedOperation {
  readonly id: string;
  /** An upload belongs to its medium. */
  readonly item: Key;
  readonly hash: string;
  readonly label: string;
  readonly creates: boolean;
  /** Requests that change something; 0: the target has all that it would write. */
  readonly requests: number;
}

/** What has to be at the target, or missing there. */
export interface PlannedPlace {
  readonly key: Key;
  /** The id at the target; a page's is its title, see `titleAtTarget`. */
  readonly id: string;
  /** null: there is nothing. Equal tokens: nothing changed. */
  readonly token: string | null;
}

export interface PlannedItem {
  readonly key: Key;
  readonly title: string;
  readonly action: PlannedAction;
  /** null: it was asked for. */
  readonly because: string | null;
  /** What would be done, in order: `guide 12 "…", step 3`. */
  readonly steps: readonly string[];
  /** Each write once, also those with nothing to send and uploads. */
  readonly operations: readonly PlannedOperation[];
  /** Where it is written; empty where nothing has to stand or to be missing for it. */
  readonly places: readonly PlannedPlace[];
  /** What somebody edited at the target: `--on-conflict` decides on it. */
  readonly edited: readonly Key[];
  readonly requests: number;
  /** By what they do: `edit step`, `upload`. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly issues: readonly Issue[];
}

export interface PlanParts extends LoadParts {
  /** Writes a second at the target; null: no limit. */
  readonly rate: number | null;
  /** Why items come that were not asked for. */
  readonly because: ReadonlyMap<Key, string>;
  /** The target, read as a source. Without it `places` and `edited` stay empty. */
  readonly reader?: Source;
  /** Default: no. */
  readonly showTexts?: boolean;
}
