import type { Context, Survey, Target } from "../../core/contracts.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { UndoSite } from "../../service/target/undo-site.js";
import type { UndoableRun, UndoLedger } from "../../storage/ledger/undo-ledger.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";

/** A thing that an undo leaves as it is, with the reason. */
export interface Refusal {
  readonly item: Key;
  /** The key of the item or a part of it, or `tags/guide/12`. */
  readonly thing: string;
  readonly id: string | null;
  readonly title: string;
  readonly reason: Reason;
  readonly message: string;
}

export interface UndoParts {
  readonly workspace: Workspace;
  readonly target: Target;
  readonly site: UndoSite;
  readonly control: Control;
  /** undefined: the last run that is not undone. */
  readonly run: string | undefined;
  readonly dryRun: boolean;
  /**
   * Called for each thing that can't be undone: before the first write, or when it is found later.
   */
  readonly onRefusal: (refusal: Refusal) => Promise<void>;
  readonly onPlanned: (plan: UndoPlan) => void;
  /** Called before the first write, with a function that returns the present state of the items. */
  readonly onLooked?: (kinds: () => UndoneKinds) => void;
}

export interface UndoPlan {
  readonly target: Survey["identity"];
  readonly run: UndoableRun;
  readonly counts: UndoCounts;
}

/** `nothing`: never created, or undone already. */
export interface UndoCounts {
  readonly delete: number;
  readonly putBack: number;
  readonly makeAgain: number;
  readonly nothing: number;
  readonly refused: number;
}

/** `waiting`: the undo stopped before; `unchanged`: it was undone already. */
export type UndoOutcome = "deleted" | "updated" | "created" | "unchanged" | "left" | "waiting" | "failed";

/** By kind: what is restored counts as updated, what is recreated as created. */
export type UndoneKinds = Readonly<Partial<Record<Kind, Readonly<Partial<Record<UndoOutcome, number>>>>>>;

export interface UndoJob extends Omit<UndoParts, "run"> {
  readonly survey: Survey;
  readonly history: UndoLedger;
  readonly run: UndoableRun;
  readonly context: Omit<Context, "begin" | "keep">;
  readonly failed: Set<Key>;
}

export const REASONS = {
  edited: "somebody edited it after the run",
  "steps-edited": "somebody edited, added or deleted a step of it after the run",
  "order-changed": "somebody changed the order of its steps after the run",
  commented: "somebody commented on it",
  tagged: "somebody put a tag on it",
  translated: "somebody translated it, or edited its translation",
  gone: "somebody deleted it after the run",
  "changed-later": "a later run changed it too; undo that run first",
  "others-inside": "somebody else put something into it",
  "others-work": "it contains remote edits that a merge kept",
  "nothing-kept": "the workspace has no copy of its earlier state",
  "no-call": "no call of the service can empty it",
  "no-way-back": "no call of the service deletes a translation of a guide or restores its earlier texts",
  "not-ours": "it existed before the run, and the workspace has no copy of it",
  unsettled: "it is unknown whether a write of a killed run was made",
  used: "something that is kept uses it",
  failed: "the site refused it",
  unknown: "this version doesn't know how to undo it",
} as const satisfies Readonly<Record<string, string>>;

export type Reason = keyof typeof REASONS;
