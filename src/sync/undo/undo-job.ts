import type { Context, Survey, Target } from "../../core/contracts.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { UndoSite } from "../../service/target/undo-site.js";
import type { UndoableRun, UndoLedger } from "../../storage/ledger/undo-ledger.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";

/** Something that stays as it is, and why. */
export interface Refusal {
  readonly item: Key;
  /** A key, or `tags/guide/12`; the item itself or a part of it. */
  readonly thing: string;
  /** Its id at the target, where it has one. */
  readonly id: string | null;
  readonly title: string;
  readonly reason: Reason;
  /** For people, a whole sentence. */
  readonly message: string;
}

/** What an undo is made of. */
export interface UndoParts {
  readonly workspace: Workspace;
  readonly target: Target;
  readonly site: UndoSite;
  readonly control: Control;
  /** The id of a run; undefined: the last one that is not undone. */
  readonly run: string | undefined;
  /** Only say what would be done. */
  readonly dryRun: boolean;
  /**
   * Called for each thing that can't be undone, all of them before the first write; those of which
   * it comes to light later, then.
   */
  readonly onRefusal: (refusal: Refusal) => Promise<void>;
  /** Called when all was looked at, before the first write. */
  readonly onPlanned: (plan: UndoPlan) => void;
  /** Called likewise with what tells at any time what became of the items. Default: nobody asks. */
  readonly onLooked?: (kinds: () => UndoneKinds) => void;
}

/** What an undo would do, in things. */
export interface UndoPlan {
  readonly target: Survey["identity"];
  readonly run: UndoableRun;
  readonly counts: UndoCounts;
}

/** By what is done to them. `nothing`: they never came to be, or are so already. */
export interface UndoCounts {
  readonly delete: number;
  readonly putBack: number;
  readonly makeAgain: number;
  readonly nothing: number;
  readonly refused: number;
}

/**
 * What became of an item in an undo. `waiting`: it was stopped before it came to it; `unchanged`:
 * it was as before already.
 */
export type UndoOutcome = "deleted" | "updated" | "created" | "unchanged" | "left" | "waiting" | "failed";

/**
 * How many items of each kind came to what: what is put back counts as updated, what is brought
 * back as created.
 */
export type UndoneKinds = Readonly<Partial<Record<Kind, Readonly<Partial<Record<UndoOutcome, number>>>>>>;

/** What the parts of an undo share. */
export interface UndoJob extends Omit<UndoParts, "run"> {
  readonly survey: Survey;
  readonly history: UndoLedger;
  readonly run: UndoableRun;
  readonly context: Omit<Context, "begin" | "keep">;
  /** Items of which something failed in this undo, or can't be looked for. */
  readonly failed: Set<Key>;
}

/** Why something can't be undone, each as a sentence about it. */
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
