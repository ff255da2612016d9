import type { Key } from "../core/model/key.js";

/** What is written on the way to a load, or would be. */
export class Journal {
  /** By item, in order. */
  readonly steps = new Map<Key, readonly string[]>();
  /** Requests by what they do. */
  readonly kinds: Record<string, number> = {};

  /** @param kind in a person's words, as `writeKind` has them */
  note(item: Key, kind: string, step: string): void {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    this.steps.set(item, [...(this.steps.get(item) ?? []), step]);
  }
}
