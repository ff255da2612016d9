import type { Key } from "../core/model/key.js";
import type { Scratch } from "../storage/workspace/scratch.js";

/** Everything that gets an id at the target, steps included. */
export interface Moving {
  has(key: Key): boolean;
}

const OWNER = "moves with";
const MAPPED = "moved by another workspace";

/**
 * Who moves: the keys of items are kept in memory; those of their steps, which are many more, on the disk, each with the item
 * that it moves with.
 */
export class MovingNotes {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    for (const topic of [OWNER, MAPPED]) scratch.clear(topic);
    this.#scratch = scratch;
  }

  /** What goes by these keys moves if, and only if, the item does. */
  note(item: Key, keys: readonly Key[]): void {
    for (const key of keys) if (key !== item) this.#scratch.put(OWNER, key, item);
  }

  /** Another workspace moved it. */
  noteMapped(key: Key): void {
    this.#scratch.put(MAPPED, key, "");
  }

  with(items: ReadonlySet<Key>): Moving {
    return {
      has: (key) => {
        if (items.has(key)) return true;
        const owner = this.#scratch.get(OWNER, key) as Key | undefined;
        if (owner !== undefined && items.has(owner)) return true;
        return this.#scratch.get(MAPPED, key) !== undefined;
      },
    };
  }
}
