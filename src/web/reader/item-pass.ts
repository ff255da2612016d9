import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { Entry } from "./catalogue.js";
import type { CatalogueState } from "./catalogue-state.js";
import type { EntryRecord } from "./entry-record.js";
import type { Shelf } from "./library.js";
import { Pauses } from "./pauses.js";
import { pictureIn } from "./picture-in.js";
import { unreadable } from "./unreadable.js";

/** What items are read with. */
export interface ItemPassParts {
  readonly shelf: Shelf;
  /** Ends the reading; what was read stays. */
  readonly signal: AbortSignal;
  /**
   * Is given each item that could be read, once, with what is known of it by then; awaited. With it every item is read, also those that another time told of.
   * What it throws ends the reading.
   */
  readonly onItem?: ((entry: Entry, item: Item) => Promise<void> | void) | undefined;
  /** Awaited before each item: those who wait for a page go first. Default: nobody does. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

/** Pages need what guides and pages say first; pictures that guides begin with are read with them. */
const ORDER: readonly ItemKind[] = ["category", "wiki", "guide", "document", "video", "image"];

/** Reads the items of a time one after the other, and those that somebody waits for before. */
export class ItemPass {
  readonly #catalogue: CatalogueState;
  readonly #parts: ItemPassParts;
  /** Items that are being read: who else wants one waits for the same reading. */
  readonly #reading = new Map<Key, Promise<void>>();

  constructor(catalogue: CatalogueState, parts: ItemPassParts) {
    this.#catalogue = catalogue;
    this.#parts = parts;
  }

  /** Reads all. Throws the signal's reason, what `onItem` throws, and defects. */
  async run(): Promise<void> {
    const { signal, giveWay, onItem } = this.#parts;
    const pauses = new Pauses();
    const states = onItem === undefined ? WAITING : UNREAD;
    for (const kind of ORDER) {
      for (const record of this.#catalogue.records()) {
        if (record.entry.kind !== kind || !states.has(record.state)) continue;
        await giveWay?.();
        await pauses.take();
        signal.throwIfAborted();
        await this.read(record);
      }
    }
  }

  /** Reads the item of a record. Damage is noted in the catalogue and no error. */
  read(record: EntryRecord): Promise<void> {
    const { key } = record.entry;
    const reading = this.#reading.get(key) ?? this.#read(record).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(record: EntryRecord): Promise<void> {
    const item = await this.#item(record);
    if (item === undefined) return;
    const picture = pictureIn(item);
    const shown = picture === null ? undefined : this.#catalogue.record(picture);
    if (shown?.state === "waiting" && shown.entry.kind === "image") await this.read(shown);
    if (record.state === "taken") record.state = "read";
    else this.#catalogue.tellItem(record, item, shown?.entry.more?.medium?.sha256 ?? null);
    await this.#parts.onItem?.(record.entry, item);
  }

  /** undefined: it can't be read, which is noted. */
  async #item(record: EntryRecord): Promise<Item | undefined> {
    try {
      return await this.#parts.shelf.item(record.entry);
    } catch (error) {
      const reason = unreadable(error);
      if (reason === undefined) throw error;
      this.#catalogue.tellDamage(record, reason);
      return undefined;
    }
  }
}

const WAITING: ReadonlySet<EntryRecord["state"]> = new Set(["waiting"]);
const UNREAD: ReadonlySet<EntryRecord["state"]> = new Set(["waiting", "taken"]);
