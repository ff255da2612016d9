import type { Key } from "../../core/model/key.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { Draft } from "./draft.js";

const DRAFTS = "plan";

/** The drafts of a plan, on the disk, so that memory does not grow with the site. */
export class DraftStore {
  readonly #scratch: Scratch;
  readonly #places = new Map<Key, number[]>();
  #count = 0;

  constructor(scratch: Scratch) {
    scratch.clear(DRAFTS);
    this.#scratch = scratch;
  }

  get size(): number {
    return this.#count;
  }

  /** Gives its place. */
  add(draft: Draft): number {
    const place = this.#count;
    this.#count += 1;
    this.#places.set(draft.key, [...(this.#places.get(draft.key) ?? []), place]);
    this.put(place, draft);
    return place;
  }

  put(place: number, draft: Draft): void {
    this.#scratch.put(DRAFTS, String(place), JSON.stringify(draft));
  }

  get(place: number): Draft {
    return JSON.parse(this.#scratch.get(DRAFTS, String(place)) ?? "") as Draft;
  }

  /** Where the drafts of an item lie. */
  of(key: Key): readonly number[] {
    return this.#places.get(key) ?? [];
  }
}
