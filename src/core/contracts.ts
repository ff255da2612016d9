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
  OperationOutcome,
  OperationState,
  PageTrial,
  Receipt,
  Rehearsed,
  RemoteBody,
  TranslationTrial,
  Written,
} from "./writing.js";

export interface Listed {
  readonly key: Key;
  /** The change token, see Item; empty when the list has none. */
  readonly revision: string;
  readonly title: string;
  /** Guides: the category's title. */
  readonly category: string | null;
  /** UNIX seconds, or null. */
  readonly modified: number | null;
  /** The path that a record shares with others of its family: `guides/{guideid}/releases`. */
  readonly family?: string;
  /** Only another answer names it, not the list of its kind: it may not exist. */
  readonly perhaps?: true;
}

export interface ListOptions {
  readonly kinds: ReadonlySet<ItemKind>;
  readonly includePrivate: boolean;
  /** UNIX seconds of the last complete extract, for kinds whose list has no token. */
  readonly since: number | null;
  /** Also the records of all families that the source is set to read. Default: no. */
  readonly families?: boolean;
  /** All comments, not only those changed since then. Default: no. */
  readonly allComments?: boolean;
  /** Where the source keeps what it needs of each row; empty at first. Default: in memory. */
  readonly rows?: Texts;
}

/** Texts by name: a Map, or the same outside of memory. */
export interface Texts {
  set(name: string, text: string): unknown;
  get(name: string): string | undefined;
  /** Each once, in any order. Texts may be added to other `Texts` meanwhile. */
  values(): Iterable<string>;
}

export interface Opened {
  readonly content: Readable;
  /** The first position: as requested, or 0 if the host ignores ranges. */
  readonly from: number;
  /** null: the host doesn't announce it. */
  readonly size: number | null;
  readonly type: string | null;
}

/** Where content comes from. Every method may be called again; none writes anywhere. */
export interface Source {
  readonly name: string;
  /** Read once; throws when the site can't be reached or refuses the sign-in. */
  identify(signal: AbortSignal): Promise<SiteIdentity>;
  /** Every item that exists during the whole call, at least once, and each key once. */
  list(options: ListOptions, signal: AbortSignal): AsyncIterable<Listed>;
  /** The records that a read record names. Call it with each one. Absent: none. */
  follow?(record: Item): Iterable<Listed>;
  /** After `list`: were all records like this one listed? Absent: yes. */
  covers?(key: Key): boolean;
  /** Is the source set to read records like this one? Absent: yes. */
  takes?(key: Key): boolean;
  /** One whole item. undefined: deleted since, or no translation in that language. */
  read(key: Key, signal: AbortSignal): Promise<Item | undefined>;
  /** A media item. undefined: unknown to the site. */
  readMedia(use: MediaUse, signal: AbortSignal): Promise<Item | undefined>;
  /** The file of a media item from position `from` on. */
  open(url: string, from: number, signal: AbortSignal): Promise<Opened>;
}

export interface Context {
  /** The id of a key on the target, or undefined. */
  idOf(key: Key): Promise<string | undefined>;
  /** The key of a target id: an item with a key is no candidate for `find`. */
  keyOf(kind: Kind, id: string): Promise<Key | undefined>;
  written(key: Key): Promise<Written | undefined>;
  /** Does the key get an id in this run or a later one? */
  moves(key: Key): boolean;
  /** Does the source have this guide or page? Absent: yes. */
  isAtSource?(key: Key): boolean;
  /** The source's address of a medium's file. undefined: unknown, or it follows from the key. */
  addressOf(key: Key): Promise<string | undefined> | undefined;
  bytes(sha256: string): Readable | Buffer;
  /** Called just before a create is sent; durable when it resolves. */
  begin(mark: Mark): Promise<void>;
  /** The last-written body of an item; undefined: unknown. */
  left(key: Key): Promise<Body | undefined>;
  /**
   * Called just before each changing write; durable when it resolves. Keeps the ledger's body as
   * the pre-image, which an undo of this run restores; only the first call of a run for an item
   * counts.
   *
   * @param thing a key, or the name of a part without a key: `tags/guide/12`
   *
   * @param found the pre-image instead of the ledger's body; a function is called only if it is
   * needed
   *
   * @param sent the body of writing; `{ deleted: true }` for a deletion. It shows an undo what a
   * killed run sent before the answer came
   */
  keep(thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void>;
  /** Did an earlier run skip a part of this operation? Absent: no. */
  wasSkipped?(): Promise<boolean>;
  /** See Ledger. Absent: no guide does. */
  namesPart?(title: string): Promise<boolean>;
  /** Small facts about the target that outlive runs, see Ledger. */
  remember(name: string, value: string): Promise<void>;
  recall(name: string): Promise<string | undefined>;
}

export type LinkContext = Pick<Context, "idOf" | "keyOf" | "written" | "namesPart">;

/** The facts of a site that are read before the first write. */
export interface Survey {
  readonly identity: SiteIdentity;
  /** null: the site doesn't show them. */
  readonly guideTypes: readonly string[] | null;
  /** Types that need a subject. */
  readonly subjectTypes: readonly string[];
  /** null: the site doesn't show them. */
  readonly flags: readonly string[] | null;
  readonly highestGuide: number;
}

/** Where content goes. */
export interface Target {
  readonly name: string;
  /** The first call; reads people too. Throws UsageError when the maps name a missing person. */
  survey(signal: AbortSignal): Promise<Survey>;
  /** The people of the target. After `survey`. */
  directory(): Directory;
  /** The values of an item that no write carries. After `survey`. No I/O. */
  losses(item: Item): readonly Issue[];
  holds(key: Key, id: string, signal: AbortSignal): Promise<boolean>;
  /** The guide that `--match title` uses for this one. Throws FerryError for several. */
  match(item: Item, context: Pick<Context, "idOf" | "keyOf">, signal: AbortSignal): Promise<string | undefined>;
  /** Ids of guides with the same title, category and type; none without `--match title`. */
  namesakes(item: GuideItem, context: Pick<Context, "idOf">, signal: AbortSignal): Promise<readonly number[]>;
  /** Does this write only link to an existing item? false: also if that is unknown. */
  onlyLinks(operation: Operation, context: LinkContext, signal: AbortSignal): Promise<boolean>;
  /** Those guides and pages that are proved deleted. Reads the site's lists once. */
  absent(things: readonly { readonly key: Key; readonly id: string }[], signal: AbortSignal): AsyncIterable<Key>;
  /** The operations of an item in order, from what was loaded before. No I/O. */
  plan(item: Item, loaded: Loaded): readonly Operation[];
  /** Creates without a known id, else edits. Throws ConflictError for a remote edit. */
  apply(operation: Operation, context: Context, signal: AbortSignal): Promise<Receipt>;
  /** What `apply` would send, without a request, and its receipt with made-up ids. */
  rehearse(operation: Operation, context: Omit<Context, "begin" | "keep" | "remember">): Promise<Rehearsed>;
  readonly translations: TranslationTrial;
  readonly pageTranslations: PageTrial;
  readonly limits: LimitsTrial;
  /** Number of requests sent, apart from reads; a repeated one counts once. */
  writes(): number;
  /** Finds the result of an `apply` after a lost answer. undefined: it surely did nothing. */
  find(operation: Operation, mark: Mark, context: Context, signal: AbortSignal): Promise<Receipt | undefined>;
}

/** The memory of one target in one workspace; it survives a crash. */
export interface Ledger {
  /** Durable (fsync) when it resolves. */
  begin(operation: Operation, mark: Mark | null): Promise<void>;
  /**
   * Replaces the issues of this operation. `facts.deleted === true` forgets an item. The outcome is
   * `adopted` if the first item was adopted, `skipped` if the receipt is open, else `written`.
   */
  done(operation: Operation, receipt: Receipt): Promise<void>;
  failed(operation: Operation, reason: string): Promise<void>;
  /** Operations with these ids end as `closed`, without their issues and missing keys. */
  close(operations: Iterable<string>): Promise<void>;
  /** Notes remote items that no operation wrote. `facts.deleted === true`: it does not exist. */
  noteRemote(item: Key, written: readonly Written[]): Promise<void>;
  /** `begun` operations that a killed run left. */
  orphans(): Promise<readonly OperationState[]>;
  loaded(item: Key): Promise<Loaded>;
  /** The outcome of one operation; null: none, or it is not known. */
  outcome(operation: string): Promise<OperationOutcome | null>;
  idOf(key: Key): Promise<string | undefined>;
  keyOf(kind: Kind, id: string): Promise<Key | undefined>;
  /** Was any item of this kind written, or its create begun? */
  knows(kind: Kind): Promise<boolean>;
  written(key: Key): Promise<Written | undefined>;
  /** The body that came with the last `Written` of a key. */
  left(key: Key): Promise<Body | undefined>;
  /** See Context.keep. `begin` keeps a create as an item that did not exist. */
  keep(item: Key, thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void>;
  /** Does a loaded guide name this ITEM page as a part or tool? The site then creates it, empty. */
  namesPart(title: string): Promise<boolean>;
  /** Notes what another workspace loaded to this target; only `idOf` and `keyOf` use it. */
  takeMap(things: Iterable<{ readonly key: Key; readonly id: string }>): Promise<void>;
  /** The keys from `takeMap`, in their order. */
  mapped(): AsyncIterable<Key>;
  /** The upload of this file, whichever media item it came with. */
  uploadOf(kind: Kind, sha256: string): Promise<Written | undefined>;
  /** Items with a done operation that misses a key which has an id now. */
  repairable(): Promise<readonly Key[]>;
  /** Each item with a done operation that misses a key, and that key; by item. */
  waiting(): AsyncIterable<{ readonly item: Key; readonly key: Key }>;
  failures(): Promise<readonly OperationState[]>;
  /** Replaces the issues of a note; without one, those of the checks before any write. */
  report(item: Key, issues: readonly Issue[], note?: Note): Promise<void>;
  /** Removes the notes of an item, all or those of one kind. */
  forgetNotes(item: Key, kind?: NoteKind): Promise<void>;
  /** Of one item with its operations, or of all, in the order of keys. */
  issues(item?: Key): AsyncIterable<Issue>;
  /** A small value of this target that outlives runs: `revision-field`. */
  remember(name: string, value: string): Promise<void>;
  recall(name: string): Promise<string | undefined>;
  /** Some written ids, to check whether the target still has them. */
  sample(count: number): Promise<readonly { readonly key: Key; readonly id: string }[]>;
  counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }>;
}
