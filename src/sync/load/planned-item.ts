import type { Source } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { LoadParts } from "./load-job.js";

/** What would become of an item. `gone`: it is gone at the source, and stays at the target. */
export type PlannedAction = "create" | "change" | "leave" | "refuse" | "adopt" | "delete" | "gone";

/** A write that the plan holds: nothing else is sent when it is applied. */
export interface PlannedOperation {
  readonly id: string;
  /** The item that it belongs to: a medium's upload belongs to the medium. */
  readonly item: Key;
  readonly hash: string;
  readonly label: string;
  /** It makes something new. */
  readonly creates: boolean;
  /** Requests that change something; 0: all that it would write is there already. */
  readonly requests: number;
}

/** What an item is written over, or has to be missing, at the target. */
export interface PlannedPlace {
  readonly key: Key;
  /** The id at the target; a page's is its title, see `titleAtTarget`. */
  readonly id: string;
  /** Equal tokens: it stands as it stood. null: there is nothing. */
  readonly token: string | null;
}

/** What would become of an item. */
export interface PlannedItem {
  readonly key: Key;
  readonly title: string;
  readonly action: PlannedAction;
  /** Why it comes along, when it wasn't asked for by name. */
  readonly because: string | null;
  /** What would be done, in order: `guide 12 "…", step 3`. */
  readonly steps: readonly string[];
  /**
   * The writes behind that, each once, also those that find nothing to send; media that go up first
   * are among them.
   */
  readonly operations: readonly PlannedOperation[];
  /** Where it is written; empty where nothing has to stand or to be missing for it. */
  readonly places: readonly PlannedPlace[];
  /** What of it somebody edited at the target since we left it: `--on-conflict` decides on it. */
  readonly edited: readonly Key[];
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
  /**
   * The target, read as a source; absent: nobody looks at what stands there, so `places` and
   * `edited` stay empty.
   */
  readonly reader?: Source;
  /** Also what each text is before and after. Default: no. */
  readonly showTexts?: boolean;
}
