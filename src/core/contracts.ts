import type { Readable } from "node:stream";
import type { SiteIdentity } from "./model/identity.js";
import type { Issue } from "./model/issue.js";
import type { GuideItem, Item, MediaUse } from "./model/item.js";
import type { ItemKind, Key, Kind } from "./model/key.js";
import type {
  Body,
  Directory,
  FindRemoteBody,
  LimitsTrial,
  Loaded,
  Mark,
  Note,
  NoteKind,
  Operation,
  OperationState,
  PageTrial,
  Receipt,
  Rehearsed,
  RemoteBody,
  TranslationTrial,
  Written,
} from "./writing.js";

// The system on one page. Nothing here is code.

/** One row of a list. */
export interface Listed {
  readonly key: Key;
  /** The change token, see Item; empty when the list has none. */
  readonly revision: string;
  readonly title: string;
  /** Guides: the category's title. */
  readonly category: string | null;
  /** UNIX seconds, or null. */
  readonly modified: number | null;
  /**
   * Of a record that costs a request: the path that it shares with others,
   * `guides/{guideid}/releases`. Read in turns too.
   */
  readonly family?: string;
  /** Another answer than the list of its kind names it: it may not be there. */
  readonly perhaps?: true;
}

export interface ListOptions {
  readonly kinds: ReadonlySet<ItemKind>;
  readonly includePrivate: boolean;
  /** UNIX seconds of the last complete extract, for kinds whose list has no token. */
  readonly since: number | null;
  /** Also the records of all families that the source was told to take. Default: no. */
  readonly families?: boolean;
  /** Comments: all, not only those that changed since then. Default: no. */
  readonly allComments?: boolean;
}

/** Bytes on their way in. */
export interface Opened {
  readonly content: Readable;
  /** The position of its first byte: what was asked for, or 0 where the host ignores ranges. */
  readonly from: number;
  /** Bytes of the whole, or null when the host doesn't say. */
  readonly size: number | null;
  readonly type: string | null;
}

/** Where content comes from. Every method may be called again; none writes anywhere. */
export interface Source {
  readonly name: string;
  /** Asked once; throws when the site can't be reached or refuses the sign-in. */
  identify(signal: AbortSignal): Promise<SiteIdentity>;
  /**
   * Every item that exists all the time of the call, at least once and each key once, although the
   * lists move.
   */
  list(options: ListOptions, signal: AbortSignal): AsyncIterable<Listed>;
  /**
   * The records that the answer of this one names; to be called with each record that was read.
   * Absent: none.
   */
  follow?(record: Item): Iterable<Listed>;
  /**
   * After `list`: did it show every record like this one? What was not asked for, or was refused,
   * stays as it is. Absent: yes.
   */
  covers?(key: Key): boolean;
  /**
   * Was it told to take records like this one? What it wasn't told to take is there from another
   * run, if at all. Absent: yes.
   */
  takes?(key: Key): boolean;
  /**
   * One item, whole. undefined: it isn't there (deleted since, or no translation in that language).
   */
  read(key: Key, signal: AbortSignal): Promise<Item | undefined>;
  /** A media item by what an answer said of it. undefined: the site doesn't know it. */
  readMedia(use: MediaUse, signal: AbortSignal): Promise<Item | undefined>;
  /** The bytes of a media item from position `from` on. */
  open(url: string, from: number, signal: AbortSignal): Promise<Opened>;
}

/** What a target may ask while it works. */
export interface Context {
  /** The id at the target that stands for a key, or undefined. */
  idOf(key: Key): Promise<string | undefined>;
  /** Whether a target id stands for a key already: such a resource is no candidate for `find`. */
  keyOf(kind: Kind, id: string): Promise<Key | undefined>;
  written(key: Key): Promise<Written | undefined>;
  /**
   * Will the key get an id in this run or a later one? false: it is not in the workspace, or was
   * refused.
   */
  moves(key: Key): boolean;
  /**
   * Is a guide or page at the source? A reference to one that isn't leads nowhere there either.
   * Absent: yes, whatever is asked for.
   */
  isAtSource?(key: Key): boolean;
  /**
   * Where a key is at the source, for absolute links: the file of a medium. undefined: unknown, or
   * a page whose address follows from its key.
   */
  addressOf(key: Key): Promise<string | undefined> | undefined;
  /** The bytes of a media item, fresh at each call. */
  bytes(sha256: string): Readable;
  /** Called just before a create is sent; durable when it resolves. */
  begin(mark: Mark): Promise<void>;
  /** What our last write left of a thing; undefined: nothing is known of it. */
  left(key: Key): Promise<Body | undefined>;
  /**
   * Called just before each write that changes something; durable when it resolves. What the ledger
   * has of the thing is what an undo of this run brings back; only the first call of a run for a
   * thing counts.
   *
   * @param thing a key, or what has no key of its own: `tags/guide/12`
   * @param found what stands there instead of what the ledger has; a function is called only where
   * it is needed
   * @param sent what is about to be sent, in the names of writing; `{ deleted: true }`: it is about
   * to be deleted. By it an undo knows the
   *   work of a run that was killed before the answer came
   */
  keep(thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void>;
  /**
   * Did an earlier run leave a part of this very operation to somebody else? Then it looks before
   * it sends. Absent: no.
   */
  wasLeft?(): Promise<boolean>;
  /** See Ledger. Absent: no guide does. */
  namesPart?(title: string): Promise<boolean>;
  /** Small facts about the target that outlive runs, see Ledger. */
  remember(name: string, value: string): Promise<void>;
  recall(name: string): Promise<string | undefined>;
}

/** What `Target.onlyLinks` asks. */
export type LinkContext = Pick<Context, "idOf" | "keyOf" | "written" | "namesPart">;

/** What a site says before anything is written to it. */
export interface Survey {
  readonly identity: SiteIdentity;
  /** Allowed guide types; null when the site doesn't tell. */
  readonly guideTypes: readonly string[] | null;
  /** Types that the site asks a subject for. */
  readonly subjectTypes: readonly string[];
  /** Guide flags that the account may set; null when the site doesn't tell. */
  readonly flags: readonly string[] | null;
  /** The highest guide id there; 0 for an empty site. */
  readonly highestGuide: number;
}

/** Where content goes. */
export interface Target {
  readonly name: string;
  /**
   * Asked once, before anything else; throws when the site can't be reached or refuses the sign-in.
   * Also reads who is there, and throws UsageError when the maps of people name somebody who isn't.
   */
  survey(signal: AbortSignal): Promise<Survey>;
  /** Who is there. After `survey`. */
  directory(): Directory;
  /**
   * What of an item no write can carry: each value with its reason and remedy. After `survey`. No
   * I/O.
   */
  losses(item: Item): readonly Issue[];
  /** Is the thing with this id still there? */
  holds(key: Key, id: string, signal: AbortSignal): Promise<boolean>;
  /**
   * The id of the guide that `--match title` takes for this new one. undefined: none. Throws
   * FerryError when there are several.
   */
  match(item: Item, context: Pick<Context, "idOf" | "keyOf">, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Ids of guides that the target's lists show under the title, category and type of this one; none
   * with `--match title`, which links to them.
   */
  namesakes(item: GuideItem, context: Pick<Context, "idOf">, signal: AbortSignal): Promise<readonly number[]>;
  /**
   * Will this write find that the thing is there, and only link to it? Where that can't be told:
   * false.
   */
  onlyLinks(operation: Operation, context: LinkContext, signal: AbortSignal): Promise<boolean>;
  /**
   * Which of these guides and pages surely aren't there any more? Reads the site's lists once; what
   * is only hidden from the account is there.
   */
  absent(things: readonly { readonly key: Key; readonly id: string }[], signal: AbortSignal): AsyncIterable<Key>;
  /**
   * The operations of an item, in order: create, update, delete, and one order operation, from what
   * was loaded before. No I/O.
   */
  plan(item: Item, loaded: Loaded): readonly Operation[];
  /**
   * Create or update: an id known means change, an unknown one means create. Throws ConflictError
   * when somebody else edited.
   */
  apply(operation: Operation, context: Context, signal: AbortSignal): Promise<Receipt>;
  /**
   * What `apply` would do now, without a request: the writes it would send, and the receipt with
   * ids that are made up.
   */
  rehearse(operation: Operation, context: Omit<Context, "begin" | "keep" | "remember">): Promise<Rehearsed>;
  readonly translations: TranslationTrial;
  readonly pageTranslations: PageTrial;
  readonly limits: LimitsTrial;
  /**
   * Requests that were sent and are no reads, since this target was made; one that had to be
   * repeated counts once.
   */
  writes(): number;
  /** Looks for the work of an `apply` whose answer was lost. undefined: it surely did nothing. */
  find(operation: Operation, mark: Mark, context: Context, signal: AbortSignal): Promise<Receipt | undefined>;
}

/**
 * The memory of one target: survives every crash, belongs to one workspace. Async, since a
 * networked one may follow.
 */
export interface Ledger {
  /** Durable (fsync) when it resolves. */
  begin(operation: Operation, mark: Mark | null): Promise<void>;
  /**
   * Also replaces the issues that this operation left before by the receipt's. A written thing with
   * `facts.deleted === true` is forgotten. The outcome follows from the receipt: `adopted` where
   * its first thing was adopted, `skipped` where it is open, else `written`.
   */
  done(operation: Operation, receipt: Receipt): Promise<void>;
  failed(operation: Operation, reason: string): Promise<void>;
  /** Operations with these ids end as `closed`, and their issues and missing keys go. */
  close(operations: Iterable<string>): Promise<void>;
  /**
   * Notes what is at the target for an item although no operation wrote it, or, with
   * `facts.deleted === true`, what is not there any more.
   */
  noteRemote(item: Key, written: readonly Written[]): Promise<void>;
  /** `begun` operations that a killed run left. */
  orphans(): Promise<readonly OperationState[]>;
  loaded(item: Key): Promise<Loaded>;
  idOf(key: Key): Promise<string | undefined>;
  keyOf(kind: Kind, id: string): Promise<Key | undefined>;
  /** Was anything of this kind written, or its create begun? */
  knows(kind: Kind): Promise<boolean>;
  written(key: Key): Promise<Written | undefined>;
  /** The body that came with the last `Written` of a key. */
  left(key: Key): Promise<Body | undefined>;
  /** See Context.keep. A create is kept by `begin` as something that was not there. */
  keep(item: Key, thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void>;
  /**
   * Does a guide that was written here name an ITEM page of this title as a part or tool? The site
   * made it, empty, where it was missing.
   */
  namesPart(title: string): Promise<boolean>;
  /**
   * Notes what another workspace moved to this target: `idOf` and `keyOf` know it from then on,
   * `written` does not.
   */
  takeMap(things: Iterable<{ readonly key: Key; readonly id: string }>): Promise<void>;
  /** The keys that `takeMap` noted, in their order. */
  mapped(): AsyncIterable<Key>;
  /** The upload of these bytes, whichever media item they came with. */
  uploadOf(kind: Kind, sha256: string): Promise<Written | undefined>;
  /** Items with a done operation that misses a key which has an id now. */
  repairable(): Promise<readonly Key[]>;
  /** Each item with a done operation that refers to a key in vain, and that key; by item. */
  waiting(): AsyncIterable<{ readonly item: Key; readonly key: Key }>;
  /** Items with an operation that failed. */
  failures(): Promise<readonly OperationState[]>;
  /**
   * Replaces the issues of a note, or without one those that the checks before any write found on
   * an item. With those of `done` they make the loss ledger.
   */
  report(item: Key, issues: readonly Issue[], note?: Note): Promise<void>;
  /** Removes the notes of an item, all or those of one kind. */
  forgetNotes(item: Key, kind?: NoteKind): Promise<void>;
  /** Of one item with its operations, or of all, in the order of keys. */
  issues(item?: Key): AsyncIterable<Issue>;
  /** A small value of this target that outlives runs: `revision-field`. */
  remember(name: string, value: string): Promise<void>;
  recall(name: string): Promise<string | undefined>;
  /** Some ids that were written, to see whether the target still has them. */
  sample(count: number): Promise<readonly { readonly key: Key; readonly id: string }[]>;
  /** How many operations are in which state. */
  counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }>;
}
