import { idIn } from "../../../src/core/model/key.js";
import { isFileName, mediaAt } from "./media-address.js";
import type { PageImage } from "./page-source.js";

/** The images of a page, as they are met. */
export class ImageTable {
  readonly #images = new Map<string, PageImage>();

  /** The id for an image in the blocks; undefined where its address is none that a document may name. */
  take(address: string, words: string): string | undefined {
    const shown = words.trim();
    const use = mediaAt("image", address, isFileName(shown) ? shown : "");
    if (use === undefined) return undefined;
    const id = String(idIn(use.key));
    const before = this.#images.get(id);
    const said = isFileName(shown) ? "" : shown;
    if (before === undefined || before.words === "") this.#images.set(id, { use, address, words: said });
    return id;
  }

  get images(): ReadonlyMap<string, PageImage> {
    return this.#images;
  }
}
