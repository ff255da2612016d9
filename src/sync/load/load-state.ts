import type { Key } from "../../core/model/key.js";

/**
 * What a load finds out about items and media while it runs; everything else is in the ledger. One
 * for each run.
 */
export class LoadState {
  readonly #complete = new Set<Key>();
  readonly #hidden = new Set<Key>();
  readonly #pending = new Map<Key, unknown>();
  readonly #recreated = new Set<Key>();
  readonly #refusedSteps = new Map<Key, unknown>();
  readonly #reopened = new Set<Key>();
  readonly #unsent = new Map<Key, unknown>();

  /** Everything of the item is done, publication too: no later phase looks at it. */
  markComplete(item: Key): void {
    this.#complete.add(item);
  }

  /** Something of the item is to be done again. */
  markIncomplete(item: Key): void {
    this.#complete.delete(item);
  }

  isComplete(item: Key): boolean {
    return this.#complete.has(item);
  }

  /**
   * The item refers to what is recreated under another id: the main phase looks at it once more.
   */
  reopen(item: Key): void {
    this.#reopened.add(item);
  }

  /** The items that were reopened since the last call. */
  takeReopened(): readonly Key[] {
    const items = [...this.#reopened];
    this.#reopened.clear();
    return items;
  }

  /** Its guide is private for as long as it is changed. */
  markHidden(item: Key): void {
    this.#hidden.add(item);
    this.#complete.delete(item);
  }

  /** Every item that this run made private meanwhile, also those that are public again. */
  hidden(): readonly Key[] {
    return [...this.#hidden];
  }

  /** Somebody deleted the item at the target, and this run recreates it. */
  markRecreated(item: Key): void {
    this.#recreated.add(item);
  }

  isRecreated(item: Key): boolean {
    return this.#recreated.has(item);
  }

  recreatedCount(): number {
    return this.#recreated.size;
  }

  /**
   * A create of an earlier run could not be looked for, for this reason: nothing of the item is
   * sent.
   */
  markPending(item: Key, reason: unknown): void {
    this.#pending.set(item, reason);
  }

  /** Throws the reason if a create of an earlier run is pending for the item. */
  throwIfPending(item: Key): void {
    if (this.#pending.has(item)) throw this.#pending.get(item);
  }

  /** The site refused a step of this guide; the rest of the guide was sent. */
  noteRefusedStep(guide: Key, error: unknown): void {
    this.#refusedSteps.set(guide, error);
  }

  hasRefusedStep(guide: Key): boolean {
    return this.#refusedSteps.has(guide);
  }

  /** The medium could not be sent in this run. */
  markUnsent(media: Key, reason: unknown): void {
    this.#unsent.set(media, reason);
  }

  /** The target takes no media of this kind, so that this one will not be there. */
  markUntaken(media: Key): void {
    this.#unsent.set(media, null);
  }

  isUntaken(media: Key): boolean {
    return this.#unsent.get(media) === null;
  }

  /** It could not be sent, or the target takes none of its kind. */
  isUnsent(media: Key): boolean {
    return this.#unsent.has(media);
  }

  /**
   * Throws the reason if the medium could not be sent; not if the target takes none of its kind.
   */
  throwIfUnsent(media: Key): void {
    const reason = this.#unsent.get(media) ?? null;
    if (reason !== null) throw reason;
  }

  /** Media and guides of which a part could not be sent, while the rest was; with the reason. */
  *partFailures(): Iterable<readonly [Key, unknown]> {
    for (const [media, reason] of this.#unsent) if (reason !== null) yield [media, reason];
    yield* this.#refusedSteps;
  }
}
