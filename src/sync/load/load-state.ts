import type { Key } from "../../core/model/key.js";

/** What a run learns while it writes; what has to outlive a kill is in the ledger. */
export class LoadState {
  readonly #complete = new Set<Key>();
  readonly #sent = new Set<Key>();
  readonly #hidden = new Set<Key>();
  readonly #pending = new Map<Key, unknown>();
  readonly #recreated = new Set<Key>();
  readonly #refusedSteps = new Map<Key, unknown>();
  readonly #reopened = new Set<Key>();
  readonly #unsent = new Map<Key, unknown>();

  /** Everything is done, publication included: no later phase processes the item. */
  markComplete(item: Key): void {
    this.#complete.add(item);
  }

  markIncomplete(item: Key): void {
    this.#complete.delete(item);
    this.#sent.delete(item);
  }

  isComplete(item: Key): boolean {
    return this.#complete.has(item);
  }

  /** The item refers to something that gets a new id: the main phase processes it again. */
  reopen(item: Key): void {
    this.#reopened.add(item);
  }

  takeReopened(): readonly Key[] {
    const items = [...this.#reopened];
    this.#reopened.clear();
    return items;
  }

  /** The main phase of this run sent every operation that had to be sent, or kept a remote edit. */
  markSent(item: Key): void {
    this.#sent.add(item);
  }

  isSent(item: Key): boolean {
    return this.#sent.has(item);
  }

  markHidden(item: Key): void {
    this.#hidden.add(item);
    this.#complete.delete(item);
  }

  /** Includes guides that are public again. */
  hidden(): readonly Key[] {
    return [...this.#hidden];
  }

  markRecreated(item: Key): void {
    this.#recreated.add(item);
  }

  isRecreated(item: Key): boolean {
    return this.#recreated.has(item);
  }

  recreatedCount(): number {
    return this.#recreated.size;
  }

  /** The outcome of an earlier create is unknown: nothing of the item is sent. */
  markPending(item: Key, reason: unknown): void {
    this.#pending.set(item, reason);
  }

  throwIfPending(item: Key): void {
    if (this.#pending.has(item)) throw this.#pending.get(item);
  }

  noteRefusedStep(guide: Key, error: unknown): void {
    this.#refusedSteps.set(guide, error);
  }

  hasRefusedStep(guide: Key): boolean {
    return this.#refusedSteps.has(guide);
  }

  markUnsent(media: Key, reason: unknown): void {
    this.#unsent.set(media, reason);
  }

  /** The target takes no media of this kind. */
  markUntaken(media: Key): void {
    this.#unsent.set(media, null);
  }

  isUntaken(media: Key): boolean {
    return this.#unsent.get(media) === null;
  }

  /** Includes media of a kind that the target does not take. */
  isUnsent(media: Key): boolean {
    return this.#unsent.has(media);
  }

  /** Does not throw for media of a kind that the target does not take. */
  throwIfUnsent(media: Key): void {
    const reason = this.#unsent.get(media) ?? null;
    if (reason !== null) throw reason;
  }

  /** Media and guides with a part that was not sent, and the reason. */
  *partFailures(): Iterable<readonly [Key, unknown]> {
    for (const [media, reason] of this.#unsent) if (reason !== null) yield [media, reason];
    yield* this.#refusedSteps;
  }
}
