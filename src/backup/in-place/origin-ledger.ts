import { resizedOf } from "../../../transforms/fit/context.js";
import type { Ledger } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, type Kind, ownId } from "../../core/model/key.js";
import type {
  Body,
  FindRemoteBody,
  Loaded,
  Mark,
  Note,
  NoteKind,
  Operation,
  OperationOutcome,
  OperationState,
  Receipt,
  RemoteBody,
  Written,
} from "../../core/writing.js";

/**
 * The ledger of a restore to the origin site: an unknown key has the id that the key names, unless
 * the site deleted it. So references to items outside of the snapshot or the selection stay valid.
 */
export class OriginLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #deleted = new Set<Key>();
  readonly #restoredLater = new Set<Key>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** It was deleted on the site, and gets another id when it is recreated. */
  noteDeleted(key: Key): void {
    this.#deleted.add(key);
  }

  isDeleted(key: Key): boolean {
    return this.#deleted.has(key);
  }

  /** It is deleted, and a dry run assumes that the site restores it. */
  noteRestoredLater(key: Key): void {
    this.#restoredLater.add(key);
  }

  isRestoredLater(key: Key): boolean {
    return this.#restoredLater.has(key);
  }

  async idOf(key: Key): Promise<string | undefined> {
    const known = await this.#ledger.idOf(key);
    const isMade = this.#deleted.has(key) || resizedOf(key) !== undefined;
    return known ?? (isMade ? undefined : ownId(key));
  }

  /** Empty: the comparison finds deleted items, which are no reason to refuse the site. */
  async sample(): Promise<readonly { readonly key: Key; readonly id: string }[]> {
    return [];
  }

  begin(operation: Operation, mark: Mark | null): Promise<void> {
    return this.#ledger.begin(operation, mark);
  }
  done(operation: Operation, receipt: Receipt): Promise<void> {
    return this.#ledger.done(operation, receipt);
  }
  failed(operation: Operation, reason: string): Promise<void> {
    return this.#ledger.failed(operation, reason);
  }
  close(operations: Iterable<string>): Promise<void> {
    return this.#ledger.close(operations);
  }
  noteRemote(item: Key, written: readonly Written[]): Promise<void> {
    return this.#ledger.noteRemote(item, written);
  }
  orphans(): Promise<readonly OperationState[]> {
    return this.#ledger.orphans();
  }
  loaded(item: Key): Promise<Loaded> {
    return this.#ledger.loaded(item);
  }
  outcome(operation: string): Promise<OperationOutcome | null> {
    return this.#ledger.outcome(operation);
  }
  keyOf(kind: Kind, id: string): Promise<Key | undefined> {
    return this.#ledger.keyOf(kind, id);
  }
  knows(kind: Kind): Promise<boolean> {
    return this.#ledger.knows(kind);
  }
  written(key: Key): Promise<Written | undefined> {
    return this.#ledger.written(key);
  }
  left(key: Key): Promise<Body | undefined> {
    return this.#ledger.left(key);
  }
  keep(item: Key, thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void> {
    return this.#ledger.keep(item, thing, found, sent);
  }
  namesPart(title: string): Promise<boolean> {
    return this.#ledger.namesPart(title);
  }
  takeMap(things: Iterable<{ readonly key: Key; readonly id: string }>): Promise<void> {
    return this.#ledger.takeMap(things);
  }
  mapped(): AsyncIterable<Key> {
    return this.#ledger.mapped();
  }
  uploadOf(kind: Kind, sha256: string): Promise<Written | undefined> {
    return this.#ledger.uploadOf(kind, sha256);
  }
  repairable(): Promise<readonly Key[]> {
    return this.#ledger.repairable();
  }
  waiting(): AsyncIterable<{ readonly item: Key; readonly key: Key }> {
    return this.#ledger.waiting();
  }
  failures(): Promise<readonly OperationState[]> {
    return this.#ledger.failures();
  }
  report(item: Key, issues: readonly Issue[], note?: Note): Promise<void> {
    return this.#ledger.report(item, issues, note);
  }
  forgetNotes(item: Key, kind?: NoteKind): Promise<void> {
    return this.#ledger.forgetNotes(item, kind);
  }
  issues(item?: Key): AsyncIterable<Issue> {
    return this.#ledger.issues(item);
  }
  remember(name: string, value: string): Promise<void> {
    return this.#ledger.remember(name, value);
  }
  recall(name: string): Promise<string | undefined> {
    return this.#ledger.recall(name);
  }
  counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }> {
    return this.#ledger.counts();
  }
}

/**
 * The ledger for comparing a site with its own snapshot: every id is known, so an image with
 * another id is another image, and a deleted item has its old id.
 */
export class ComparingLedger extends OriginLedger {
  override async keyOf(kind: Kind, id: string): Promise<Key | undefined> {
    return (await super.keyOf(kind, id)) ?? `${kind}/${id}`;
  }

  override async loaded(item: Key): Promise<Loaded> {
    const { operations, written } = await super.loaded(item);
    return { operations, written: new Map([...written].map(([key, one]) => [key, withoutImages(one)])) };
  }
}

/** `withKnownMedia` matches images instead. */
export function withoutImages(written: Written): Written {
  const { images: _images, ...facts } = written.facts;
  return { ...written, facts };
}
