import { setImmediate } from "node:timers/promises";
import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import { type Catalogue, type Entry, type EntryRecord, pictureIn } from "./catalogue.js";
import { CatalogueState } from "./catalogue-state.js";
import { type SnapshotRow, type SnapshotView, unreadable } from "./library.js";

/** What a catalogue is built with. */
export interface CatalogueParts extends ItemPassParts {
  /**
   * The catalogue of another time of the same library: what has the same bytes there is known at
   * once.
   */
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
   * Reads the rows of a time, and then its items. Resolves when a first page can be made:
   * categories and guides are there, of the other kinds what came with them. Throws what the shelf
   * throws, and the signal's reason.
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
    let held: readonly SnapshotRow[] = [];
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

/** What items are read with. */
interface ItemPassParts {
  readonly shelf: SnapshotView;
  /** Ends the reading; what was read stays. */
  readonly signal: AbortSignal;
  /**
   * Is given each item that could be read, once, with what is known of it by then; awaited. With it
   * every item is read, also those that another time told of. What it throws ends the reading.
   */
  readonly onItem?: ((entry: Entry, item: Item) => Promise<void> | void) | undefined;
  /** Awaited before each item: those who wait for a page go first. Default: nobody does. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

/**
 * Pages need what guides and pages say first; pictures that guides begin with are read with them.
 */
const ORDER: readonly ItemKind[] = ["category", "wiki", "guide", "document", "video", "image"];

/** Reads the items of a time one after the other, and those that somebody waits for before. */
class ItemPass {
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

/**
 * Tells a catalogue what another time's knows of items that have the same bytes, and whose picture
 * has.
 */
function takeOver(catalogue: CatalogueState, from: CatalogueState): void {
  for (const record of catalogue.records()) {
    const other = from.record(record.entry.key);
    if (other === undefined || !isSame(record, other) || other.entry.more === undefined) continue;
    const [picture, before] =
      other.picture === null ? [undefined, undefined] : [catalogue.record(other.picture), from.record(other.picture)];
    if (isSame(picture, before)) catalogue.tellTaken(record, other);
  }
}

function isSame(one: EntryRecord | undefined, other: EntryRecord | undefined): boolean {
  return one?.digest === other?.digest;
}

/** Milliseconds of work after which others have their turn. */
const AT_ONCE = 10;

/** Lets others have their turn in the midst of long work. */
class Pauses {
  #since = performance.now();

  /** Resolves at once, or when it is time, after the others had their turn. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < AT_ONCE) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
