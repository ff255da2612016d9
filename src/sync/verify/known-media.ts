import type { Ledger, Loaded, Written } from "../../core/contracts.js";
import type { Guide, Step } from "../../core/model/guide.js";
import { type Key, kindOf, restOf } from "../../core/model/key.js";
import type { Wiki } from "../../core/model/wiki.js";

/** What stands at the target in the places of an item's media, told by the ids that the ledger knows. */
export class KnownMedia {
  readonly #ledger: Pick<Ledger, "keyOf">;
  /** By ids that answers to our own writes of this item showed: what was sent there. */
  readonly #shown = new Map<Key, Key>();

  /** `written`: what is known of the item. */
  constructor(ledger: Pick<Ledger, "keyOf">, item: Key, written: Loaded["written"], expected: Guide | Wiki) {
    this.#ledger = ledger;
    this.#note(written.get(item), some(expected.image));
    for (const { key, media } of "steps" in expected ? expected.steps : [])
      this.#note(written.get(key), media.type === "images" ? media.images : []);
  }

  #note(written: Written | undefined, expected: readonly Key[]): void {
    const shown = Array.isArray(written?.facts["images"]) ? written.facts["images"].map(String) : [];
    if (shown.length === expected.length)
      for (const [place, key] of expected.entries()) this.#shown.set(`image/${shown[place]}`, key);
  }

  /**
   * What was read, with unknown ids taken for what should stand in their places: a site gives pictures that it crops or
   * encodes anew ids of its own, some time after the write (api-facts 4.5). One that has the id of another thing that we
   * sent was surely exchanged.
   */
  async list(present: readonly Key[], expected: readonly Key[]): Promise<readonly Key[]> {
    return Promise.all(present.map((key, place) => this.#told(key, expected[place])));
  }

  async #told(present: Key, expected: Key | undefined): Promise<Key> {
    if (present === expected) return present;
    const shown = this.#shown.get(present);
    if (shown !== undefined) return shown;
    const isOurs = (await this.#ledger.keyOf(kindOf(present), restOf(present))) !== undefined;
    return isOurs ? present : (expected ?? present);
  }

  async one(present: Key | null, expected: Key | null): Promise<Key | null> {
    const [key] = await this.list(some(present), some(expected));
    return key ?? null;
  }

  /** A guide that was read, its steps left out. */
  async guide(present: Guide, expected: Guide): Promise<Guide> {
    return {
      ...present,
      image: await this.one(present.image, expected.image),
      documents: await this.list(present.documents, expected.documents),
      featuredDocument: await this.one(present.featuredDocument, expected.featuredDocument),
    };
  }

  async step(present: Step, expected: Step | undefined): Promise<Step> {
    if (present.media.type !== "images" || expected?.media.type !== "images") return present;
    const images = await this.list(present.media.images, expected.media.images);
    return { ...present, media: { ...present.media, images } };
  }
}

function some(key: Key | null): readonly Key[] {
  return key === null ? [] : [key];
}
