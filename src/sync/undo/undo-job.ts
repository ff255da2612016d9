import type { Context, Survey, Target } from "../../core/contracts.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { UndoSite } from "../../service/target/undo-site.js";
import type { UndoableRun, UndoLedger } from "../../storage/ledger/undo-ledger.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";

/** Something that stays as it is. */
export interface Refusal {
  readonly item: Key;
  /** A key, or `tags/guide/12`: the item or a part of it. */
  readonly thing: string;
  /** Its id at the target, where it has one. */
  readonly id: string | null;
  readonly title: string;
  readonly reason: Reason;
  /** A sentence for people. */
  readonly message: string;
}

export interface UndoParts {
  readonly workspace: Workspace;
  readonly target: Target;
  readonly site: UndoSite;
  readonly control: Control;
  /** undefined: the last run that is not undone. */
  readonly run: string | undefined;
  /** Only report what would be done. */
  readonly dryRun: boolean;
  /**
   * Called for each thing that can't be undone, before the first write; for those that are found
   * later, then.
   */
  readonly onRefusal: (refusal: Refusal) => Promise<void>;
  /** Called before the first write. */
  readonly onPlanned: (plan: UndoPlan) => void;
  /** Called at the same time, with a function that tells the state of the items at any time. */
  readonly onLooked?: (kinds: () => UndoneKinds) => void;
}

/** Counted in things. */
export interface UndoPlan {
  readonly target: Survey["identity"];
  readonly run: UndoableRun;
  readonly counts: UndoCounts;
}

/** By what is done to them. `nothing`: they were never made, or are undone already. */
export interface UndoCounts {
  readonly delete: number;
  readonly putBack: number;
  readonly makeAgain: number;
  readonly nothing: number;
  readonly refused: number;
}

/** `waiting`: the undo was stopped before; `unchanged`: it was as before already. */
export type UndoOutcome = "deleted" | "updated" | "created" | "unchanged" | "left" | "waiting" | "failed";

/** By kind: what is put back counts as updated, what is recreated as created. */
export type UndoneKinds = Readonly<Partial<Record<Kind, Readonly<Partial<Record<UndoOutcome, number>>>>>>;

export interface UndoJob extends Omit<UndoParts, "run"> {
  readonly survey: Survey;
  readonly history: UndoLedger;
  readonly run: UndoableRun;
  readonly context: Omit<Context, "begin" | "keep">;
  /** Items with a failure in this undo. */
  readonly failed: Set<Key>;
}

/** Each is a sentence about the thing. */
export const REASONS = {
  edited: "somebody edited it since",
  "steps-edited": "somebody edited, added or deleted a step of it since",
  "order-changed": "somebody changed the order of its steps since",
  commented: "somebody commented on it",
  tagged: "somebody put a tag on it",
  translated: "somebody translated it, or edited its translation",
  gone: "somebody deleted it since",
  "changed-later": "a later run changed it too; undo that one first",
  "others-inside": "others have put something into it",
  "others-work": "it holds what others wrote since a merge",
  "nothing-kept": "nothing was kept of how it was before",
  "no-call": "no call of the service empties it again",
  "no-way-back":
    "no call of the service takes a translation of a guide back, or brings its preImage texts back as they were",
  "not-ours": "it was there before, and nothing was kept of it",
  unsettled: "whether a write of a killed run was made can't be found out now",
  used: "something that stays uses it",
  failed: "the site refused it",
  unknown: "this version doesn't know how to undo it",
} as const satisfies Readonly<Record<string, string>>;

export type Reason = keyof typeof REASONS;
