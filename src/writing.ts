import type { Call } from "./model/call.js";
import type { Issue } from "./model/issue.js";
import type { Key } from "./model/key.js";

// What passes between the loader, a target and its ledger; the contracts' own words for writes. Nothing here is code.

/** `main`: creates and contents. `finish`: flags and people. `publish`: visibility, after everything else. */
export type Phase = "main" | "finish" | "publish";

/** One write that an item needs at the target: the same id and hash in every run, so that a run can be resumed. */
export interface Operation {
  /** `guide/123/step/456`: made of the source's ids, never of positions. */
  readonly id: string;
  /** The item that it belongs to. */
  readonly item: Key;
  /** For people: `guide 123, step 4`. */
  readonly label: string;
  /** Over the call (text with keys, not target ids) and the options that change the output. */
  readonly hash: string;
  readonly phase: Phase;
  /** Media that must be at the target first. */
  readonly needs: readonly Key[];
  readonly call: Call;
}

/** A thing at the target in the names of writing (`introduction`, `lines`) and with the target's ids: sent again, it brings back what was read. */
export type Body = Readonly<Record<string, unknown>>;

/** One thing at the target as a write left it. */
export interface Written {
  readonly key: Key;
  /** The id at the target; a wiki's is its title there. */
  readonly id: string;
  /** Opaque to all but the target: what the next edit must send. */
  readonly revision: string | null;
  /** A digest of what the write left there; a 409 whose body has this digest is no conflict. */
  readonly left: string | null;
  /**
   * What the digest is over, and more: the base of a merge, and what an undo brings back. Only on its way into the ledger (`Ledger.left`
   * gives it back); absent: as long as `left` is the same, the ledger keeps the one that it has.
   */
  readonly body?: Body;
  /** Small facts the next plan needs (step ids in order, flags, visibility); plain JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** It was there before, is not ours, and its content stays untouched (`--on-existing adopt`). */
  readonly adopted: boolean;
}

/** What a write did. */
export interface Receipt {
  /** The thing that the operation is about comes first; others that the answer told of follow. */
  readonly written: readonly Written[];
  /** Keys that its text refers to and that have no id yet; the operation is done again when one has. */
  readonly missing: readonly Key[];
  readonly issues: readonly Issue[];
  /** A part of it was left as somebody else has it: the operation is noted so that the next run looks again. */
  readonly open?: true;
}

/** What `find` will need, should the answer to a create be lost; plain JSON. */
export type Mark = Readonly<Record<string, unknown>>;

/** What a write would do. */
export interface Rehearsed {
  readonly writes: number;
  readonly receipt: Receipt;
}

/** Something that stands at the target otherwise than the ledger says, or that it knows nothing of. */
export interface Standing {
  readonly id: string;
  readonly body: Body;
}

/** What the ledger knows of one operation. */
export interface OperationState {
  readonly id: string;
  readonly item: Key;
  readonly label: string;
  /** `begun`: sent, no answer known. */
  readonly state: "begun" | "done" | "failed";
  readonly hash: string;
  readonly missing: readonly Key[];
  /** What `begin` was given; null when it is not a create. */
  readonly mark: Mark | null;
  /** The reason of the last failure. */
  readonly error: string | null;
}

/** What was loaded of one item before. */
export interface Loaded {
  readonly operations: ReadonlyMap<string, OperationState>;
  readonly written: ReadonlyMap<Key, Written>;
}
