import type { Key } from "../../core/model/key.js";
import type { OpenEntry } from "./entry-record.js";

/** Nobody's tree is deeper; what hangs lower in a hostile one stands at the top. */
const DEEPEST = 64;

/** Which category hangs below which, without circles: what would close one stands at the top. */
export class CategoryTree {
  readonly #categories = new Map<string, OpenEntry>();

  /** Every category that there is, by its title, before any parent is set. */
  add(title: string, entry: OpenEntry): void {
    this.#categories.set(title, entry);
  }

  /** The name of the group that belongs below a category of this title; null: there is no such category. */
  groupOf(title: string | null): string | null {
    return title !== null && this.#categories.has(title) ? title : null;
  }

  /** Hangs a category below a parent, or at the top when it would be below itself, or too deep. */
  hang(entry: OpenEntry, parent: string | null): void {
    entry.category = null;
    if (parent !== null && this.#mayHang(entry.key, parent)) entry.category = parent;
  }

  #mayHang(key: Key, parent: string): boolean {
    let above = this.#categories.get(parent);
    for (let depth = 0; above !== undefined; depth += 1) {
      if (above.key === key || depth >= DEEPEST) return false;
      above = above.category === null ? undefined : this.#categories.get(above.category);
    }
    return true;
  }
}
