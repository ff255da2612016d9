import { setImmediate } from "node:timers/promises";
import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import { turnsInTime } from "../../core/util/concurrency.js";
import { type Catalogue, type Entry, type EntryRecord, pictureIn } from "./catalogue.js";
import { CatalogueState } from "./catalogue-state.js";
import { type SnapshotRow, type SnapshotView, unreadable } from "./library.js";

export interface CatalogueParts extends ItemPassParts {
  /** Another snapshot of the same library: items with equal bytes are copied from it. */
  readonly before?: BuiltCatalogue | undefined;
}

export class BuiltCatalogue extends CatalogueState implements Catalogue {
  /** Settles when all rows are added. */
  readonly listed: Promise<void>;
  readonly read: Promise<void>;
  readonly #pass: ItemPass;

  private constructor(parts: CatalogueParts, firstPage: () => void) {
    super(parts.snapshot.site.language);
    this.#pass = new ItemPass(this, parts);
    this.listed = this.#list(parts, firstPage);
    this.read = this.listed.then(() => this.#pass.run());
    // Callers that do not wait for it need no unhandled rejection.
    this.read.catch(() => undefined);
  }

  /**
   * Reads the rows of a snapshot, then its items. Resolves once categories and guides are listed.
   * Throws what the snapshot throws, and the signal's reason.
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

  async #list({ snapshot, signal, before }: CatalogueParts, firstPage: () => void): Promise<void> {
    let held: readonly SnapshotRow[] = [];
    for await (const rows of snapshot.rowBatches()) {
      signal.throwIfAborted();
      held = held.length === 0 ? rows : [...held, ...rows];
      const last = held.at(-1);
      if (last === undefined || last.kind === "category") continue;
      this.addRows(held);
      held = [];
      if (!FIRST.has(last.kind)) firstPage();
      await setImmediate();
    }
    this.addRows(held);
    if (before !== undefined) copyEqualItems(this, before);
  }
}

/**
 * Rows come in the order of their keys; a later kind proves that all categories and guides are
 * there.
 */
const FIRST: ReadonlySet<ItemKind> = new Set(["category", "document", "guide"]);

interface ItemPassParts {
  readonly snapshot: SnapshotView;
  /** Ends the reading; what was read stays. */
  readonly signal: AbortSignal;
  /**
   * Called once for each readable item and awaited; with it every item is read, also the copied
   * ones. What it throws ends the reading.
   */
  readonly onItem?: ((entry: Entry, item: Item) => Promise<void> | void) | undefined;
  /** Awaited before each item, so that requests for pages go first. Default: no wait. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

/** Lists need the facts of guides and pages first; the pictures of guides are read with them. */
const ORDER: readonly ItemKind[] = ["category", "wiki", "guide", "document", "video", "image"];

class ItemPass {
  readonly #catalogue: CatalogueState;
  readonly #parts: ItemPassParts;
  /** Items in progress; a second caller waits for the same reading. */
  readonly #reading = new Map<Key, Promise<void>>();

  constructor(catalogue: CatalogueState, parts: ItemPassParts) {
    this.#catalogue = catalogue;
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { signal, giveWay, onItem } = this.#parts;
    const dueTurn = turnsInTime(LONGEST_TURN);
    const states = onItem === undefined ? WAITING : UNREAD;
    for (const kind of ORDER) {
      for (const record of this.#catalogue.records()) {
        if (record.entry.kind !== kind || !states.has(record.state)) continue;
        await giveWay?.();
        await dueTurn();
        signal.throwIfAborted();
        await this.read(record);
      }
    }
  }

  /** Records damage in the catalogue and does not throw it. */
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
    else this.#catalogue.setItem(record, item, shown?.entry.more?.medium?.sha256 ?? null);
    await this.#parts.onItem?.(record.entry, item);
  }

  /** undefined: unreadable, which the catalogue records. */
  async #item(record: EntryRecord): Promise<Item | undefined> {
    try {
      return await this.#parts.snapshot.item(record.entry);
    } catch (error) {
      const reason = unreadable(error);
      if (reason === undefined) throw error;
      this.#catalogue.setDamaged(record, reason);
      return undefined;
    }
  }
}

const WAITING: ReadonlySet<EntryRecord["state"]> = new Set(["waiting"]);
const UNREAD: ReadonlySet<EntryRecord["state"]> = new Set(["waiting", "taken"]);

/** Copies items with equal bytes and equal pictures from another snapshot. */
function copyEqualItems(catalogue: CatalogueState, from: CatalogueState): void {
  for (const record of catalogue.records()) {
    const other = from.record(record.entry.key);
    if (other === undefined || !isSame(record, other) || other.entry.more === undefined) continue;
    const [picture, before] =
      other.picture === null ? [undefined, undefined] : [catalogue.record(other.picture), from.record(other.picture)];
    if (isSame(picture, before)) catalogue.copyItem(record, other);
  }
}

function isSame(one: EntryRecord | undefined, other: EntryRecord | undefined): boolean {
  return one?.digest === other?.digest;
}

/** Milliseconds: somebody reads pages meanwhile. */
const LONGEST_TURN = 10;
