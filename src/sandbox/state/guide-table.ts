import type { GuideRecord } from "./guide.js";

/**
 * The guides of a site by key, which also knows who uses a guide as a prerequisite: each read and each write of a guide
 * asks for it, and a look through ten thousand guides every time would take longer than the rest of the answer.
 */
export class GuideTable extends Map<string, GuideRecord> {
  readonly #users = new Map<number, Set<string>>();

  override set(key: string, guide: GuideRecord): this {
    this.#forget(key);
    for (const prerequisite of guide.prerequisites) {
      const users = this.#users.get(prerequisite) ?? new Set();
      this.#users.set(prerequisite, users.add(key));
    }
    return super.set(key, guide);
  }

  override delete(key: string): boolean {
    this.#forget(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#users.clear();
    super.clear();
  }

  /** Keys of the guides that have this one among their prerequisites. */
  dependents(guideid: number): readonly string[] {
    return [...(this.#users.get(guideid) ?? [])];
  }

  #forget(key: string): void {
    for (const prerequisite of this.get(key)?.prerequisites ?? []) this.#users.get(prerequisite)?.delete(key);
  }
}
