import type { FerryError } from "../../core/errors.js";
import { type Call, creates, factsOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Loaded, Operation, Phase, Written } from "../../core/writing.js";
import type { LoadOptions } from "../load/load-job.js";
import type { PlannedItem, PlannedOperation } from "../load/planned-item.js";

/** A write that is repeated as soon as one of the keys has an id. */
interface Again {
  readonly operation: Operation;
  readonly missing: readonly Key[];
  /** Reported as long as they have none. */
  readonly issues: readonly Issue[];
  /** Repeated in any case. Default: no. */
  readonly surely?: true;
}

/** An item while its load is rehearsed; plain JSON. */
export type Draft = { -readonly [K in keyof PlannedItem]: PlannedItem[K] } & {
  readonly steps: string[];
  readonly operations: PlannedOperation[];
  readonly kinds: Record<string, number>;
  /** The item or its piece. */
  item: Key;
  readonly sent: Sent[];
  readonly again: Again[];
  /** By the operation's id, where texts are asked for. */
  readonly changes: Record<string, readonly TextChange[]>;
  /** What the rehearsal made of it, for repeated writes. */
  written: readonly Written[];
};

export function add(draft: Draft, label: string, writes: number, kind: string): void {
  if (writes === 0) return;
  draft.steps.push(label);
  draft.requests += writes;
  draft.kinds[kind] = (draft.kinds[kind] ?? 0) + writes;
}

/** Notes that the plan holds a write; `requests` are added to the known ones. */
export function hold(draft: Draft, operation: Operation, loaded: Pick<Loaded, "written">, requests: number): void {
  const { id, item, hash, label } = operation;
  const at = draft.operations.findIndex((each) => each.id === id);
  const known = draft.operations[at];
  const isNew = creates(operation.call, (key) => loaded.written.has(key));
  const held = {
    id,
    item,
    hash,
    label,
    creates: isNew || known?.creates === true,
    requests: (known?.requests ?? 0) + requests,
  };
  if (at < 0) draft.operations.push(held);
  else draft.operations[at] = held;
}

export function report(draft: Draft, issues: readonly Issue[]): void {
  draft.issues = [...draft.issues, ...issues];
}

/** A field at the target as it is and as it would be, for people. */
export interface TextChange {
  /** `step 3`; empty: the item itself. */
  readonly part: string;
  /** In the model's words: `introduction`. */
  readonly field: string;
  /** Empty: there is nothing. */
  readonly before: string;
  /** `stays`: what it would have become. */
  readonly after: string;
  /**
   * It stays since somebody edited it: `clash` where the source changed it too and everything else
   * is merged.
   */
  readonly stays?: "clash" | "edited";
}

/** `changes`: empty where texts were not asked for. */
export interface ShownItem {
  readonly item: PlannedItem;
  readonly changes: readonly TextChange[];
}

/** What `--on-conflict` does with remote edits. */
export const CONFLICT_WORDS: Readonly<Record<LoadOptions["onConflict"], string>> = {
  skip: "With --on-conflict skip it stays as it is there.",
  update: "With --on-conflict update it is overwritten.",
  merge:
    "With --on-conflict merge both sides' changes are kept; where both changed one field, theirs stays and is listed.",
  fail: "With --on-conflict fail it stays as it is there, and counts as failed.",
};

/** Why a field stays. */
export const STAYS_WORDS: Readonly<Record<NonNullable<TextChange["stays"]>, string>> = {
  clash: "stays as it is there, since both sides changed it; the source would make of it:",
  edited: "stays as it is there, since somebody edited it; the source would make of it:",
};

/** Why a page is not written under `--on-existing fail`. */
export function existing(key: Key): Issue {
  return {
    code: "existing",
    level: "error",
    key,
    path: "",
    message: "A page of this title is at the target already and is not ours; --on-existing is fail.",
    remedy: "Choose --on-existing adopt (use it as it is) or update (put the source's content over it).",
  };
}

export const WILL_FAIL = "will-fail";

export function failing(key: Key, { message }: FerryError): Issue {
  return { code: WILL_FAIL, level: "error", key, path: "", message };
}

/** A write of a guide, as far as it tells what the next one meets. */
interface Sent {
  readonly call: Call;
  readonly phase: Phase | "again";
  /** It changes an existing thing. */
  readonly edits: boolean;
}

const ORDER: readonly Sent["phase"][] = ["main", "again", "finish", "publish"];

/**
 * Edits of a guide that are refused once (409) and sent again: the edit of a step moves the
 * revision of its guide too, and its answer shows the step only.
 */
export function staleEdits(sent: readonly Sent[]): number {
  let stale = false;
  let count = 0;
  for (const { call, edits } of sent.toSorted((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase))) {
    const { revision } = factsOf(call);
    if (stale && edits && revision === "needs") count += 1;
    if (revision !== undefined) stale = revision === "moves" && edits;
  }
  return count;
}

/** In a person's words: `edit step`. Rehearsals count by it. */
export function writeKind({ call }: Operation, { written }: Loaded): string {
  const { label } = factsOf(call);
  if (typeof label === "string") return label;
  return label[creates(call, (key) => written.has(key)) ? 1 : 0];
}
