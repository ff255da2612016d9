import { setImmediate } from "node:timers/promises";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { Catalogue, Entry } from "./catalogue.js";
import { CatalogueState } from "./catalogue-state.js";
import { ItemPass, type ItemPassParts } from "./item-pass.js";
import type { ShelfRow } from "./library.js";
import { takeOver } from "./take-over.js";

/** What a catalogue is built with. */
export interface CatalogueParts extends ItemPassParts {
  /** The catalogue of another time of the same library: what has the same bytes there is known at once. */
  readonly before?: BuiltCatalogue | undefined;
}

/** A catalogue whose items are read in the background. */
export class BuiltCatalogue extends CatalogueState implements Catalogue {
  /** Settles when all rows are there: whoever wants more than a first page waits for it. */
  readonly listed: Promise<void>;
  readonly read: Promise<void>;
  readonly #pass: ItemPass;

  private constructor(parts: CatalogueParts, firstPage: () => void) {
    super(parts.shelf.site.language);
    this.#pass = new ItemPass(this, parts);
    this.listed = this.#list(parts, firstPage);
    this.read = this.listed.then(() => this.#pass.run());
    // Who does not wait for it is not told how it ended.
    this.read.catch(() => undefined);
  }

  /**
   * Reads the rows of a time, and then its items. Resolves when a first page can be made: categories and guides are there, of the other kinds what came with them. Throws
   * what the shelf throws, and the signal's reason.
   */
  static build(parts: CatalogueParts): Promise<BuiltCatalogue> {
    return new Promise((resolve, reject) => {
      const catalogue: BuiltCatalogue = new BuiltCatalogue(parts, () => resolve(catalogue));
      catalogue.listed.then(() => resolve(catalogue), reject);
    });
  }

  async known(key: Key): Promise<Entry | undefined> {
    await this.listed;
    const record = this.record(key);
    if (record?.state === "waiting") await this.#pass.read(record);
    return record?.entry;
  }

  async #list({ shelf, signal, before }: CatalogueParts, firstPage: () => void): Promise<void> {
    let held: readonly ShelfRow[] = [];
    for await (const rows of shelf.rowBatches()) {
      signal.throwIfAborted();
      held = held.length === 0 ? rows : [...held, ...rows];
      const last = held.at(-1);
      if (last === undefined || last.kind === "category") continue;
      this.take(held);
      held = [];
      if (!FIRST.has(last.kind)) firstPage();
      await setImmediate();
    }
    this.take(held);
    if (before !== undefined) takeOver(this, before);
  }
}

/** The kinds that rows begin with: when another one comes all categories and guides are there. */
const FIRST: ReadonlySet<ItemKind> = new Set(["category", "document", "guide"]);
