import type { Call } from "./model/call.js";
import type { Person, Team } from "./model/identity.js";
import type { Issue } from "./model/issue.js";
import type { Key } from "./model/key.js";

/** `main`: creates and contents. `finish`: flags and people. `publish`: visibility, last. */
export type Phase = "main" | "finish" | "publish";

/** One write of an item: the same id and hash in every run, so that a run can be resumed. */
export interface Operation {
  /** `guide/123/step/456`: from the source's ids, never from positions. */
  readonly id: string;
  readonly item: Key;
  /** For people: `guide 123, step 4`. */
  readonly label: string;
  /** Over the call (text with keys, not target ids) and the options that change the output. */
  readonly hash: string;
  readonly phase: Phase;
  /** Media that must be on the target first. */
  readonly needs: readonly Key[];
  readonly call: Call;
}

/** An item on the target in the fields of a write, which restores it when it is sent again. */
export type Body = Readonly<Record<string, unknown>>;

/** An item on the target after a write. */
export interface Written {
  readonly key: Key;
  /** The id on the target; a wiki's is its title there. */
  readonly id: string;
  /** Sent by the next edit. Only the target knows its form. */
  readonly revision: string | null;
  /** A digest of the result of the write; a 409 whose body has this digest is no conflict. */
  readonly left: string | null;
  /**
   * The fields of the digest and more: the base of a merge and of an undo. Only on its way into the
   * ledger; absent: the ledger keeps the one it has.
   */
  readonly body?: Body;
  /** Small facts the next plan needs (step ids in order, flags, visibility); plain JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** It existed before, and its content does not change (`--on-existing adopt`). */
  readonly adopted: boolean;
}

export interface Receipt {
  /** The item of the operation comes first; others from the answer follow. */
  readonly written: readonly Written[];
  /** Keys without an id in its references; the operation is repeated when one gets an id. */
  readonly missing: readonly Key[];
  readonly issues: readonly Issue[];
  /** A remote edit stays in all or a part of it: its outcome is `skipped`. */
  readonly open?: true;
  /**
   * The fields of the first item with a remote edit and nothing to decide. Replaces those of
   * earlier receipts; absent: no change.
   */
  readonly apart?: readonly Omit<Issue, "key">[];
}

/** What `find` needs if the answer to a create is lost; plain JSON. */
export type Mark = Readonly<Record<string, unknown>>;

/** A request that a write would send; `path` is relative to the API root. */
export interface SentWrite {
  readonly method: string;
  readonly path: string;
  /** A body of writing, with made-up ids for new items; undefined: none. */
  readonly json: unknown;
}

/** The expected result of a write. */
export interface Rehearsed {
  readonly writes: number;
  readonly sent: readonly SentWrite[];
  readonly receipt: Receipt;
}

/** An item on the target that differs from the ledger or is not in it. */
export interface RemoteBody {
  readonly id: string;
  readonly body: Body;
}

/** Reads it only if it is needed. undefined: the site doesn't show it. */
export type FindRemoteBody = () => Promise<RemoteBody | undefined>;

/** An item before the first write of a run. */
export interface PreImage {
  /** A key, or the name of a part without a key: `tags/guide/12`. */
  readonly thing: string;
  readonly item: Key;
  /** null: it did not exist. */
  readonly id: string | null;
  readonly body: Body | null;
  /** null: nothing. */
  readonly written: Written | null;
  /** The body is a remote edit, not the last-written body. */
  readonly theirs: boolean;
  /** The last body of writing that the run sent; its answer may be lost. */
  readonly sent: Body | null;
}

/**
 * The outcome of a done operation; only `written` counts as done under the same hash.
 *
 * - `written`: the target has its content.
 * - `skipped`: a remote edit stays in it; each run checks it again.
 * - `adopted`: an existing item was linked, and its content was not written.
 * - `closed`: it is not needed any more, or its result was deleted or replaced.
 * - `undone`: an undo reverted it.
 */
export type OperationOutcome = "written" | "skipped" | "adopted" | "closed" | "undone";

/**
 * A fact about an item that belongs to no operation of the service.
 *
 * - `diverged`: a remote edit stays, with nothing to decide.
 * - `private`: a guide is public at the source and private on the target.
 * - `recreated`: an item was deleted on the target, and is recreated.
 */
export type NoteKind = "diverged" | "private" | "recreated";

export interface Note {
  readonly kind: NoteKind;
  /** Its subject: the item itself, a step of it, or the result of a transform. */
  readonly of: Key;
}

export interface OperationState {
  readonly id: string;
  readonly item: Key;
  readonly label: string;
  /** `begun`: sent, without an answer. */
  readonly state: "begun" | "done" | "failed";
  /** null: not done. */
  readonly outcome: OperationOutcome | null;
  /** The hash when it was last begun, done or failed. */
  readonly hash: string;
  readonly missing: readonly Key[];
  /** From `begin`; null when it is not a create. */
  readonly mark: Mark | null;
  readonly error: string | null;
}

export interface Loaded {
  readonly operations: ReadonlyMap<string, OperationState>;
  readonly written: ReadonlyMap<Key, Written>;
}

/** A line of a map of people: a person of the source and the match on the target. */
export interface PeopleRow {
  /** For messages: `users.csv:3`. */
  readonly where: string;
  /** A user: id, unique name or e-mail address. A team: id or name. In lower case. */
  readonly old: string;
  /** The same of the target; empty: no match, on purpose. */
  readonly new: string;
}

/** The maps of people from the user. */
export interface PeopleMaps {
  readonly users: readonly PeopleRow[];
  readonly teams: readonly PeopleRow[];
}

/** The people of a target, as far as it shows them. */
export interface Directory {
  /** The maps by the row's `old`; null: no match, on purpose. */
  readonly users: ReadonlyMap<string, Person | null>;
  readonly teams: ReadonlyMap<string, Team | null>;
  userNamed(uniqueName: string): Person | undefined;
  /** Asks the site if its list does not show the address; undefined: no such user, or not shown. */
  userWithEmail(email: string, signal: AbortSignal): Promise<Person | undefined>;
  /** undefined also if several teams have the name. */
  teamNamed(name: string): Team | undefined;
}

/** The titles of a probe's guide: its own, and that of its translation. */
export interface ProbeTitles {
  readonly title: string;
  readonly translated: string;
}

export interface TranslationProbe {
  /** null: unknown. */
  readonly isTaken: boolean | null;
  /** One clause. */
  readonly says: string;
  /** Why the guide of the probe still exists, or may; null: it was deleted. */
  readonly left: string | null;
}

/** The most that a site accepted (of pixels: the least) and the nearest that it refused, if any. */
export interface Bound {
  readonly takes: number;
  readonly refuses: number | null;
}

/** The measured limits of a step; an absent one is unknown. */
export interface StepBounds {
  /** Characters. */
  readonly lineLength?: Bound;
  readonly linesPerStep?: Bound;
  /** Pixels. */
  readonly imageWidth?: Bound;
  readonly imageHeight?: Bound;
}

/** The sizes for a probe; each is beyond the known limit. */
export interface LimitQuestions {
  readonly lineLength?: { readonly known: number; readonly wanted: number };
  readonly linesPerStep?: { readonly known: number; readonly wanted: number };
  readonly images?: { readonly known: Pixels; readonly wanted: readonly Pixels[] };
}

/** Pixels of a picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** The result of a probe of the limits of steps. */
export interface LimitsProbe {
  /** null: nothing. */
  readonly facts: (StepBounds & { readonly trouble: string | null }) | null;
  /** One clause: why a limit could not be found out. */
  readonly says: string;
  /** Why items of the probe still exist, or may; null: they were deleted. */
  readonly left: string | null;
}

/** The specification states no limits of steps, so each site is asked by writing. */
export interface LimitsTrial {
  /** Sets the longest line in characters; before: 350. */
  decide(lineLength: number): void;
  /** The decided value; 350 before. */
  lineLength(): number;
  titles(): ProbeTitles;
  /** Creates a private guide with a step, edits it, and always deletes what it created. */
  probe(
    probe: { readonly titles: ProbeTitles; readonly questions: LimitQuestions },
    signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  ): Promise<LimitsProbe>;
  /** Deletes what a killed probe left. Why it still exists; null: it does not. */
  clear(titles: ProbeTitles, signal: AbortSignal): Promise<string | null>;
}

/** A site may ignore the language of a page's translation and overwrite the page. */
export interface PageTrial {
  /** null, the default: unknown, so each answer is checked. */
  decide(isTaken: boolean | null): void;
  titles(): ProbeTitles;
  /**
   * Creates a page, translates it, reads both back, and always deletes it. `languages`: tried until
   * the site does not refuse one.
   */
  probe(
    probe: { readonly titles: ProbeTitles; readonly languages: readonly string[] },
    signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  ): Promise<TranslationProbe>;
  /** Deletes what a killed probe left. Why it still exists; null: it does not. */
  clear(titles: ProbeTitles, signal: AbortSignal): Promise<string | null>;
}

/** No document says that a site accepts translations of guides, so each is asked by writing. */
export interface TranslationTrial {
  /** Plans and losses use it from now on; before, none is sent. */
  decide(isTaken: boolean): void;
  /** Others with each call. */
  titles(): ProbeTitles;
  /**
   * Creates a private guide, translates it, checks the result, and always deletes it.
   *
   * @param like the id of a guide on the target with the category and type for the probe
   *
   * @param languages tried until the site does not refuse one
   */
  probe(
    probe: { readonly titles: ProbeTitles; readonly like: string; readonly languages: readonly string[] },
    signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  ): Promise<TranslationProbe>;
  /** Deletes what a killed probe left. Why it still exists; null: it does not. */
  clear(titles: ProbeTitles, signal: AbortSignal): Promise<string | null>;
}
