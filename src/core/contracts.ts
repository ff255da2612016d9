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

// The system on one page: types only.

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
  /** The path that a record shares with others of its family: `guides/{guideid}/releases`. */
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
  /** Where it begins: as asked for, or 0 where the host ignores ranges. */
  readonly from: number;
  /** null: the host doesn't say. */
  readonly size: number | null;
  readonly type: string | null;
}

/** Where content comes from. Every method may be called again; none writes anywhere. */
export interface Source {
  readonly name: string;
  /** Asked once; throws when the site can't be reached or refuses the sign-in. */
  identify(signal: AbortSignal): Promise<SiteIdentity>;
  /** Every item that exists during the whole call, at least once and each key once. */
  list(options: ListOptions, signal: AbortSignal): AsyncIterable<Listed>;
  /** The records that a read record names. Call it with each one. Absent: none. */
  follow?(record: Item): Iterable<Listed>;
  /** After `list`: were all records like this one listed? Absent: yes. */
  covers?(key: Key): boolean;
  /** Is the source told to take records like this one? Absent: yes. */
  takes?(key: Key): boolean;
  /** One item, whole. undefined: deleted since, or no translation in that language. */
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
  /** Does the key get an id in this run or a later one? */
  moves(key: Key): boolean;
  /** Does the source have this guide or page? Absent: yes. */
  isAtSource?(key: Key): boolean;
  /** The source's address of a medium's file. undefined: unknown, or it follows from the key. */
  addressOf(key: Key): Promise<string | undefined> | undefined;
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
  /** Did an earlier run skip a part of this operation? Absent: no. */
  wasSkipped?(): Promise<boolean>;
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
  /** null: the site doesn't tell. */
  readonly guideTypes: readonly string[] | null;
  /** Types that the site asks a subject for. */
  readonly subjectTypes: readonly string[];
  /** null: the site doesn't tell. */
  readonly flags: readonly string[] | null;
  readonly highestGuide: number;
}

/** Where content goes. */
export interface Target {
  readonly name: string;
  /**
   * The first call. Also reads the people.
   * @throws UsageError when the maps name an absent person
   */
  survey(signal: AbortSignal): Promise<Survey>;
  /** Who is there. After `survey`. */
  directory(): Directory;
  /** The values of an item that no write carries. After `survey`. No I/O. */
  losses(item: Item): readonly Issue[];
  holds(key: Key, id: string, signal: AbortSignal): Promise<boolean>;
  /** The guide that `--match title` takes for this one. @throws FerryError for several */
  match(item: Item, context: Pick<Context, "idOf" | "keyOf">, signal: AbortSignal): Promise<string | undefined>;
  /** Ids of guides of the same title, category and type; none with `--match title`. */
  namesakes(item: GuideItem, context: Pick<Context, "idOf">, signal: AbortSignal): Promise<readonly number[]>;
  /** Does this write only link to something that is there? false: also where that is unknown. */
  onlyLinks(operation: Operation, context: LinkContext, signal: AbortSignal): Promise<boolean>;
  /** Those guides and pages that are deleted for sure. Reads the site's lists once. */
  absent(things: readonly { readonly key: Key; readonly id: string }[], signal: AbortSignal): AsyncIterable<Key>;
  /** The operations of an item in order, from what was loaded before. No I/O. */
  plan(item: Item, loaded: Loaded): readonly Operation[];
  /** Creates without a known id, else changes. @throws ConflictError for a remote edit */
  apply(operation: Operation, context: Context, signal: AbortSignal): Promise<Receipt>;
  /** What `apply` would send now, without a request, and its receipt with made-up ids. */
  rehearse(operation: Operation, context: Omit<Context, "begin" | "keep" | "remember">): Promise<Rehearsed>;
  readonly translations: TranslationTrial;
  readonly pageTranslations: PageTrial;
  readonly limits: LimitsTrial;
  /** Requests sent that are no reads; a repeated one counts once. */
  writes(): number;
  /** Looks for the work of an `apply` whose answer was lost. undefined: it surely did nothing. */
  find(operation: Operation, mark: Mark, context: Context, signal: AbortSignal): Promise<Receipt | undefined>;
}

/** The memory of one target in one workspace; it survives a crash. */
export interface Ledger {
  /** Durable (fsync) when it resolves. */
  begin(operation: Operation, mark: Mark | null): Promise<void>;
  /**
   * Replaces the issues of this operation. `facts.deleted === true` forgets a thing. The outcome is
   * `adopted` where the first thing was adopted, `skipped` where the receipt is open, else
   * `written`.
   */
  done(operation: Operation, receipt: Receipt): Promise<void>;
  failed(operation: Operation, reason: string): Promise<void>;
  /** Operations with these ids end as `closed`, and their issues and missing keys go. */
  close(operations: Iterable<string>): Promise<void>;
  /** Notes remote things that no operation wrote. `facts.deleted === true`: it is not there. */
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
  /** Does a loaded guide name this ITEM page as a part or tool? The site then makes it, empty. */
  namesPart(title: string): Promise<boolean>;
  /** Notes what another workspace moved here; only `idOf` and `keyOf` know it then. */
  takeMap(things: Iterable<{ readonly key: Key; readonly id: string }>): Promise<void>;
  /** The keys that `takeMap` noted, in their order. */
  mapped(): AsyncIterable<Key>;
  /** The upload of these bytes, whichever media item they came with. */
  uploadOf(kind: Kind, sha256: string): Promise<Written | undefined>;
  /** Items with a done operation that misses a key which has an id now. */
  repairable(): Promise<readonly Key[]>;
  /** Each item with a done operation that refers to a key in vain, and that key; by item. */
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
  /** Some ids that were written, to see whether the target still has them. */
  sample(count: number): Promise<readonly { readonly key: Key; readonly id: string }[]>;
  counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }>;
}
