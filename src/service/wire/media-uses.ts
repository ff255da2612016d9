import type { Key } from "../../core/model/key.js";
import type { MediaUse } from "../../core/model/media.js";

/** Collects the media that an item needs, each once; a use that knows the address replaces one that doesn't. */
export class MediaUses {
  readonly #uses = new Map<Key, MediaUse>();

  add(use: MediaUse): void {
    const known = this.#uses.get(use.key);
    if (known === undefined || (known.url === null && use.url !== null)) this.#uses.set(use.key, use);
  }

  list(): readonly MediaUse[] {
    return [...this.#uses.values()];
  }
}
