import type { Source } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { LoadParts } from "./load-job.js";

/** `gone`: deleted at the source, and kept on the target. */
export type PlannedAction = "create" | "change" | "leave" | "refuse" | "adopt" | "delete" | "gone";

/** One write of a planned item. */
export interface PlannedOperation {
  readonly id: string;
  /** That of an upload is the medium. */
  readonly item: Key;
  readonly hash: string;
  readonly label: string;
  readonly creates: boolean;
  /** Write requests; 0: the target has it already. */
  readonly requests: number;
}

/** Where an item is on the target. */
export interface PlannedPlace {
  readonly key: Key;
  /** The id on the target. That of a page is its title, see `titleAtTarget`. */
  readonly id: string;
  /** null: it does not exist. Equal tokens: nothing changed. */
  readonly token: string | null;
}

/** What a load would do with one item. */
export interface PlannedItem {
  readonly key: Key;
  readonly title: string;
  readonly action: PlannedAction;
  /** null: it was chosen. */
  readonly because: string | null;
  readonly steps: readonly string[];
  /** Each write once, uploads and writes with nothing to send included. */
  readonly operations: readonly PlannedOperation[];
  /** Where it is written; empty where the state of the target does not matter. */
  readonly places: readonly PlannedPlace[];
  /** Remote edits: `--on-conflict` decides about them. */
  readonly edited: readonly Key[];
  readonly requests: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly issues: readonly Issue[];
}

export interface PlanParts extends LoadParts {
  /** Writes a second; null: no limit. */
  readonly rate: number | null;
  readonly because: ReadonlyMap<Key, string>;
  /** The target as a source. Without it `places` and `edited` are empty. */
  readonly reader?: Source;
  /** Default: no. */
  readonly showTexts?: boolean;
}
