import type { FerryError } from "../../core/errors.js";
import { type Call, creates, factsOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Loaded, Operation, Phase, Written } from "../../core/writing.js";
import type { LoadOptions } from "../load/load-job.js";
import type { PlannedItem, PlannedOperation } from "../load/planned-item.js";

/** A write that is repeated when one of the keys has an id. */
interface Again {
  readonly operation: Operation;
  readonly missing: readonly Key[];
  /** Reported while no key has an id. */
  readonly issues: readonly Issue[];
  readonly surely?: true;
}

export type Draft = { -readonly [K in keyof PlannedItem]: PlannedItem[K] } & {
  readonly steps: string[];
  readonly operations: PlannedOperation[];
  readonly kinds: Record<string, number>;
  item: Key;
  readonly sent: Sent[];
  readonly again: Again[];
  /** By the id of the operation. Empty without `--text`. */
  readonly changes: Record<string, readonly TextChange[]>;
  written: readonly Written[];
};

export function add(draft: Draft, label: string, writes: number, kind: string): void {
  if (writes === 0) return;
  draft.steps.push(label);
  draft.requests += writes;
  draft.kinds[kind] = (draft.kinds[kind] ?? 0) + writes;
}

/** Adds a write to the plan; `requests` are added to the known ones. */
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

/** A field on the target before and after the load, for people. */
export interface TextChange {
  /** `step 3`; empty: the item itself. */
  readonly part: string;
  readonly field: string;
  /** Empty: no value. */
  readonly before: string;
  /** With `stays`: the value of the source. */
  readonly after: string;
  /**
   * The remote edit is kept. `clash`: the source changed the field too, and everything else is
   * merged.
   */
  readonly stays?: "clash" | "edited";
}

export interface ShownItem {
  readonly item: PlannedItem;
  readonly changes: readonly TextChange[];
}

export const CONFLICT_WORDS: Readonly<Record<LoadOptions["onConflict"], string>> = {
  skip: "With --on-conflict skip the remote edit is kept.",
  update: "With --on-conflict update the remote edit is overwritten.",
  merge:
    "With --on-conflict merge the changes of both sites are kept. Where both changed one field, the remote edit is kept and listed.",
  fail: "With --on-conflict fail the remote edit is kept, and the item counts as failed.",
};

export const STAYS_WORDS: Readonly<Record<NonNullable<TextChange["stays"]>, string>> = {
  clash: "is not changed, since both sites changed it; the source has:",
  edited: "is not changed, since somebody edited it there; the source has:",
};

export function existing(key: Key): Issue {
  return {
    code: "existing",
    level: "error",
    key,
    path: "",
    message: "The target has a page with this title that guideferry did not create, and --on-existing is fail.",
    remedy: "Choose --on-existing adopt (link to it) or update (overwrite it with the source's content).",
  };
}

export const WILL_FAIL = "will-fail";

export function failing(key: Key, { message }: FerryError): Issue {
  return { code: WILL_FAIL, level: "error", key, path: "", message };
}

/** A write of a guide, with what matters for its next one. */
interface Sent {
  readonly revision: "needs" | "shows" | "moves";
  readonly phase: Phase | "again";
  readonly edits: boolean;
}

/** Notes a write that uses the revision of its guide. */
export function send(draft: Draft, call: Call, phase: Sent["phase"], edits: boolean): void {
  const { revision } = factsOf(call);
  if (revision !== undefined) draft.sent.push({ revision, phase, edits });
}

const ORDER: readonly Sent["phase"][] = ["main", "again", "finish", "publish"];

/**
 * Number of edits of a guide that are refused once (409) and sent again. The edit of a step changes
 * the revision of its guide too, and its answer has the step only.
 */
export function staleEdits(sent: readonly Sent[]): number {
  let stale = false;
  let count = 0;
  for (const { revision, edits } of sent.toSorted((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase))) {
    if (stale && edits && revision === "needs") count += 1;
    stale = revision === "moves" && edits;
  }
  return count;
}

/** The type of a write, for people: `edit step`. Rehearsals count by it. */
export function writeKind({ call }: Operation, { written }: Loaded): string {
  const { label } = factsOf(call);
  if (typeof label === "string") return label;
  return label[creates(call, (key) => written.has(key)) ? 1 : 0];
}
