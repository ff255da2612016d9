import type { Loaded, Operation, Written } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { PlannedItem, PlannedOperation } from "../planned-item.js";
import type { Sent } from "../stale-edits.js";
import { createsNew } from "./refuse-unplanned.js";
import type { TextChange } from "./text-change.js";

/** A write that is done again as soon as one of the keys has an id. */
export interface Again {
  readonly operation: Operation;
  readonly missing: readonly Key[];
  /** What it would report as long as they have none. */
  readonly issues: readonly Issue[];
  /** It is done again in any case. Default: no. */
  readonly surely?: true;
}

/** An item while its load is rehearsed; plain JSON. */
export type Draft = { -readonly [K in keyof PlannedItem]: PlannedItem[K] } & {
  readonly steps: string[];
  readonly operations: PlannedOperation[];
  readonly kinds: Record<string, number>;
  /** The item or the piece of one that it is about. */
  item: Key;
  readonly sent: Sent[];
  readonly again: Again[];
  /** By the operation's id, where texts are asked for. */
  readonly changes: Record<string, readonly TextChange[]>;
  /** What the rehearsal made of it, for writes that are done again. */
  written: readonly Written[];
};

export function newDraft(key: Key, title: string, because: string | null): Draft {
  return {
    ...{ key, title, action: "create", because, steps: [], operations: [], places: [], edited: [], requests: 0 },
    ...{ kinds: {}, issues: [], item: key, sent: [], again: [], changes: {}, written: [] },
  };
}

export function add(draft: Draft, label: string, writes: number, kind: string): void {
  if (writes === 0) return;
  draft.steps.push(label);
  draft.requests += writes;
  draft.kinds[kind] = (draft.kinds[kind] ?? 0) + writes;
}

/** Notes that the plan holds a write; `requests` are added to what is known of it. */
export function hold(draft: Draft, operation: Operation, loaded: Pick<Loaded, "written">, requests: number): void {
  const { id, item, hash, label } = operation;
  const at = draft.operations.findIndex((each) => each.id === id);
  const known = draft.operations[at];
  const creates = (known?.creates ?? false) || createsNew(operation, loaded);
  const held = { id, item, hash, label, creates, requests: (known?.requests ?? 0) + requests };
  if (at < 0) draft.operations.push(held);
  else draft.operations[at] = held;
}

export function report(draft: Draft, issues: readonly Issue[]): void {
  draft.issues = [...draft.issues, ...issues];
}

/** What the plan tells of it. */
export function plannedItem(draft: Draft): PlannedItem {
  const { item: _item, sent: _sent, again: _again, changes: _changes, written: _written, ...planned } = draft;
  return planned;
}
