import type { Call } from "./model/call.js";
import type { Person, Team } from "./model/identity.js";
import type { Issue } from "./model/issue.js";
import type { Key } from "./model/key.js";

// What passes between the loader, a target and its ledger: types only.

/** `main`: creates and contents. `finish`: flags and people. `publish`: visibility, last. */
export type Phase = "main" | "finish" | "publish";

/** One write of an item: the same id and hash in every run, so that a run can be resumed. */
export interface Operation {
  /** `guide/123/step/456`: made of the source's ids, never of positions. */
  readonly id: string;
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

/**
 * A thing at the target as a body of writing (`introduction`, `lines`): sent again, it restores
 * what was read.
 */
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
   * What the digest is over, and more: the base of a merge and of an undo. Only on its way into the
   * ledger; absent: it keeps the one that it has.
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
  /** Keys it refers to that have no id; the operation is done again when one gets one. */
  readonly missing: readonly Key[];
  readonly issues: readonly Issue[];
  /** It, or a part of it, was left as somebody else has it: its outcome is `skipped`. */
  readonly open?: true;
  /**
   * The fields of the first thing that a remote edit holds, with nothing to decide. It replaces
   * what earlier receipts said; absent: nothing changes.
   */
  readonly apart?: readonly Omit<Issue, "key">[];
}

/** What `find` will need, should the answer to a create be lost; plain JSON. */
export type Mark = Readonly<Record<string, unknown>>;

/** A request that a write would send; `path` is relative to the API root. */
export interface SentWrite {
  readonly method: string;
  readonly path: string;
  /** A body of writing, with made-up ids for new things; undefined: none. */
  readonly json: unknown;
}

/** What a write would do. */
export interface Rehearsed {
  readonly writes: number;
  readonly sent: readonly SentWrite[];
  readonly receipt: Receipt;
}

/** A thing at the target that the ledger knows otherwise, or not at all. */
export interface RemoteBody {
  readonly id: string;
  readonly body: Body;
}

/** Asks for it, where it is wanted only sometimes. undefined: the site doesn't tell. */
export type FindRemoteBody = () => Promise<RemoteBody | undefined>;

/** One thing as it was before a run first changed it. */
export interface PreImage {
  /** A key, or what has no key of its own: `tags/guide/12`. */
  readonly thing: string;
  readonly item: Key;
  /** null: it was not there. */
  readonly id: string | null;
  readonly body: Body | null;
  /** null: nothing. */
  readonly written: Written | null;
  /** The body is of what somebody else had there, and not of what we had left. */
  readonly theirs: boolean;
  /** The last that was sent of it in that run, in the names of writing; its answer may be lost. */
  readonly sent: Body | null;
}

/**
 * What a done operation came to; only `written` counts as done under the same hash.
 *
 * - `written`: the target has what it holds.
 * - `skipped`: it, or a part of it, was left as somebody else has it; each run looks again.
 * - `adopted`: something that was there was linked to instead; its content was not written.
 * - `closed`: it is not wanted any more, or what it wrote is gone or replaced.
 * - `undone`: an undo took it back.
 */
export type OperationOutcome = "written" | "skipped" | "adopted" | "closed" | "undone";

/**
 * Something to tell of an item that no operation of the service left.
 *
 * - `diverged`: what of a thing stands as somebody else has it, with nothing to decide.
 * - `private`: a guide is public at the source and private at the target.
 * - `recreated`: somebody deleted a thing at the target, and it is made again.
 */
export type NoteKind = "diverged" | "private" | "recreated";

/** A note of an item. */
export interface Note {
  readonly kind: NoteKind;
  /** The thing that it is about: the item itself, a step of it, or what a transform made of it. */
  readonly of: Key;
}

/** What the ledger knows of one operation. */
export interface OperationState {
  readonly id: string;
  readonly item: Key;
  readonly label: string;
  /** `begun`: sent, no answer known. */
  readonly state: "begun" | "done" | "failed";
  /** null: it is not done. */
  readonly outcome: OperationOutcome | null;
  /** That of the operation, as it was last begun, done or failed. */
  readonly hash: string;
  readonly missing: readonly Key[];
  /** What `begin` was given; null when it is not a create. */
  readonly mark: Mark | null;
  readonly error: string | null;
}

/** What was loaded of one item before. */
export interface Loaded {
  readonly operations: ReadonlyMap<string, OperationState>;
  readonly written: ReadonlyMap<Key, Written>;
}

/** A line of a map of people: who somebody at the source is at the target. */
export interface PeopleRow {
  /** For messages: `users.csv:3`. */
  readonly where: string;
  /** A user: id, unique name or e-mail address. A team: id or name. In lower case. */
  readonly old: string;
  /** The same of the target; empty: nobody, on purpose. */
  readonly new: string;
}

/** Who people are at the target, as somebody wrote it down. */
export interface PeopleMaps {
  readonly users: readonly PeopleRow[];
  readonly teams: readonly PeopleRow[];
}

/** The people of a target, as far as it shows them. */
export interface Directory {
  /** What the maps say, by the row's `old`; null: nobody, on purpose. */
  readonly users: ReadonlyMap<string, Person | null>;
  readonly teams: ReadonlyMap<string, Team | null>;
  userNamed(uniqueName: string): Person | undefined;
  /** Asks the site where its list does not tell; undefined also where it tells nobody. */
  userWithEmail(email: string, signal: AbortSignal): Promise<Person | undefined>;
  /** undefined also where several teams have the name. */
  teamNamed(name: string): Team | undefined;
}

/** The titles that the guide of a probe may have: its own, and that of its translation. */
export interface ProbeTitles {
  readonly title: string;
  readonly translated: string;
}

/** What a probe found out of translations of guides. */
export interface TranslationProbe {
  /** null: it could not be found out. */
  readonly isTaken: boolean | null;
  /** One clause. */
  readonly says: string;
  /** Why the guide that it made is still there, or may be; null: it is gone. */
  readonly left: string | null;
}

/** The most that a site took (of pixels: the least) and the nearest that it refused, if any. */
export interface Bound {
  readonly takes: number;
  readonly refuses: number | null;
}

/** What a site was found to take in a step; what is absent is not known. */
export interface StepBounds {
  /** Characters. */
  readonly lineLength?: Bound;
  readonly linesPerStep?: Bound;
  /** Pixels. */
  readonly imageWidth?: Bound;
  readonly imageHeight?: Bound;
}

/** What a probe asks for; each number goes beyond what is known. */
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

/** What a probe found out of the limits of steps. */
export interface LimitsProbe {
  /** null: nothing. */
  readonly facts: (StepBounds & { readonly trouble: string | null }) | null;
  /** One clause: why something could not be found out. */
  readonly says: string;
  /** Why what it made is still there, or may be; null: it is gone. */
  readonly left: string | null;
}

/** The specification states no limits of steps, so each site is asked by writing. */
export interface LimitsTrial {
  /** Texts keep to so many characters of a line from now on; before: 350. */
  decide(lineLength: number): void;
  /** What was decided; 350 before. */
  lineLength(): number;
  /** Others with each call. */
  titles(): ProbeTitles;
  /** Makes a private guide with a step, edits it, and deletes all that it made in any case. */
  probe(
    probe: { readonly titles: ProbeTitles; readonly questions: LimitQuestions },
    signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  ): Promise<LimitsProbe>;
  /** Deletes what a probe that was killed left. Why it is still there; null: it is not. */
  clear(titles: ProbeTitles, signal: AbortSignal): Promise<string | null>;
}

/** A site may ignore the language of a page's translation and overwrite the page. */
export interface PageTrial {
  /** null, the default: unknown, so each answer is checked. */
  decide(isTaken: boolean | null): void;
  /** Others with each call. */
  titles(): ProbeTitles;
  /**
   * Makes a page, translates it, reads both back, and deletes it, also when anything fails.
   *
   * @param languages tried until the site does not refuse one
   */
  probe(
    probe: { readonly titles: ProbeTitles; readonly languages: readonly string[] },
    signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  ): Promise<TranslationProbe>;
  /** Deletes what a probe that was killed left. Why it is still there; null: it is not. */
  clear(titles: ProbeTitles, signal: AbortSignal): Promise<string | null>;
}

/** Translations of guides: no document says that a site takes them, so each is asked by writing. */
export interface TranslationTrial {
  /** Plans and losses go by it from now on; before, none is taken. */
  decide(isTaken: boolean): void;
  /** Others with each call. */
  titles(): ProbeTitles;
  /**
   * Makes a private guide, translates it, looks what came of it, and deletes it, also when anything
   * fails.
   *
   * @param like the id of a guide at the target, whose category and type the probe's has
   * @param languages tried until the site does not refuse one
   */
  probe(
    probe: { readonly titles: ProbeTitles; readonly like: string; readonly languages: readonly string[] },
    signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  ): Promise<TranslationProbe>;
  /** Deletes what a probe that was killed left. Why it is still there; null: it is not. */
  clear(titles: ProbeTitles, signal: AbortSignal): Promise<string | null>;
}
