import type { Item } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key, kindOf, languageIn, restOf } from "../../core/model/key.js";
import {
  type Catalogue,
  type Entry,
  type EntryRecord,
  type OpenEntry,
  pictureIn,
  recordOf,
  tell,
} from "./catalogue.js";
import { EntryGroup, EntryGroups, orderOf, TagIndex } from "./entry-order.js";
import type { SnapshotRow } from "./library.js";

/** Nobody's tree is deeper; what hangs lower in a hostile one stands at the top. */
const DEEPEST = 64;

/** Which category hangs below which, without circles: what would close one stands at the top. */
class CategoryTree {
  readonly #categories = new Map<string, OpenEntry>();

  /** Every category that there is, by its title, before any parent is set. */
  add(title: string, entry: OpenEntry): void {
    this.#categories.set(title, entry);
  }

  /**
   * The name of the group that belongs below a category of this title; null: there is no such
   * category.
   */
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

/** What is known of a time, and how that grows. Nothing here reads. */
export class CatalogueState implements Omit<Catalogue, "known" | "read"> {
  readonly progress = { done: 0, total: 0 };
  readonly counts: Record<ItemKind, number>;
  readonly damaged: { readonly key: Key; readonly reason: string }[] = [];
  readonly #language: string;
  readonly #records = new Map<Key, EntryRecord>();
  readonly #paths = new Map<string, Entry>();
  readonly #tree = new CategoryTree();
  readonly #children: EntryGroups<string | null>;
  readonly #guides: EntryGroups<string | null>;
  readonly #tags: TagIndex;
  readonly #media: EntryGroups<ItemKind>;
  /**
   * The guides that are in a language of their own, by the number that they share with the guide.
   */
  readonly #translations: EntryGroups<string>;
  readonly #byLanguage: (one: Entry, other: Entry) => number;
  readonly #pages: EntryGroup;

  /** `language`: of the site. */
  constructor(language: string) {
    const order = orderOf(language);
    this.#language = language;
    this.#children = new EntryGroups(order.byPlace);
    this.#guides = new EntryGroups(order.byTitle);
    this.#tags = new TagIndex(order);
    this.#media = new EntryGroups(order.byKey);
    this.#translations = new EntryGroups(order.byLanguage);
    this.#byLanguage = order.byLanguage;
    this.#pages = new EntryGroup(order.byNamespace);
    this.counts = Object.fromEntries(ITEM_KINDS.map((kind) => [kind, 0])) as Record<ItemKind, number>;
  }

  entry(key: Key): Entry | undefined {
    return this.#records.get(key)?.entry;
  }

  byPath(path: string): Entry | undefined {
    return this.#paths.get(path);
  }

  categoriesIn(parent: string | null): readonly Entry[] {
    return this.#children.sorted(parent);
  }

  guidesIn(category: string | null): readonly Entry[] {
    return this.#guides.sorted(category);
  }

  pages(): readonly Entry[] {
    return this.#pages.sorted();
  }

  media(kind: "image" | "video" | "document"): readonly Entry[] {
    return this.#media.sorted(kind);
  }

  tags(): readonly { readonly tag: string; readonly count: number }[] {
    return this.#tags.list();
  }

  tagged(tag: string): readonly Entry[] {
    return this.#tags.tagged(tag);
  }

  tagAt(path: string): string | undefined {
    return this.#tags.at(path);
  }

  get hasTags(): boolean {
    return !this.#tags.isEmpty;
  }

  languagesOf(key: Key): readonly Entry[] {
    const translations = kindOf(key) === "guide" ? this.#translations.sorted(numberOf(key)) : [];
    const own = this.#records.get(`guide/${numberOf(key)}`)?.entry;
    const all = own === undefined ? translations : [own, ...translations].toSorted(this.#byLanguage);
    return all.length > 1 ? all : [];
  }

  /** Every record, in the order of the rows. */
  records(): IterableIterator<EntryRecord> {
    return this.#records.values();
  }

  record(key: Key): EntryRecord | undefined {
    return this.#records.get(key);
  }

  /**
   * Rows in the order of their keys: all categories come before the first guide, since what has no
   * category there stands at the top.
   */
  take(rows: readonly SnapshotRow[]): void {
    const records = rows.map(recordOf);
    for (const record of records) {
      const { key, kind, path } = record.entry;
      this.#records.set(key, record);
      if (path !== "") this.#paths.set(path, record.entry);
      if (kind === "category") this.#tree.add(restOf(key), record.entry);
      this.counts[kind] += 1;
    }
    for (const record of records) {
      this.#place(record);
      // What people read of a record stands in its row.
      if (record.entry.kind === "record") this.#settle(record, "read");
    }
    this.progress.total = this.#records.size;
  }

  /** What a read item says of itself. */
  tellItem(record: EntryRecord, item: Item, picture: string | null): void {
    const told = tell(item, this.#language);
    record.picture = pictureIn(item);
    this.#tell(record, { ...told, more: { ...told.more, image: picture } });
    this.#settle(record, "read");
  }

  /** The same as in another catalogue, where the item has the same bytes. */
  tellTaken(record: EntryRecord, from: EntryRecord): void {
    const { title, category, more } = from.entry;
    if (more === undefined) return;
    record.picture = from.picture;
    this.#tell(record, { title, category, more });
    this.#settle(record, "taken");
  }

  tellDamage(record: EntryRecord, reason: string): void {
    this.damaged.push({ key: record.entry.key, reason });
    this.#settle(record, "damaged");
  }

  #settle(record: EntryRecord, state: EntryRecord["state"]): void {
    if (record.state === "waiting") this.progress.done += 1;
    record.state = state;
  }

  #tell(
    { entry }: EntryRecord,
    told: Pick<Entry, "title" | "category"> & { readonly more: NonNullable<Entry["more"]> },
  ): void {
    const { title, category, more } = told;
    const isRetitled = entry.title !== title;
    if (entry.more === undefined) for (const tag of more.tags) this.#tags.add(tag, entry);
    entry.more = more;
    entry.title = title;
    if (entry.kind === "category") this.#hang(entry, category);
    if (entry.kind === "guide" && category !== entry.category) this.#move(entry, category);
    if (languageIn(entry.key) !== undefined) this.#translations.of(numberOf(entry.key)).touch();
    if (isRetitled) this.#touch(entry);
  }

  /** Into the groups that its row tells. */
  #place({ entry }: EntryRecord): void {
    const place: Partial<Record<ItemKind, () => void>> = {
      category: () => {
        const parent = entry.category;
        this.#tree.hang(entry, parent);
        this.#children.of(this.#tree.groupOf(entry.category)).add(entry);
      },
      guide: () => {
        if (languageIn(entry.key) !== undefined) this.#translations.of(numberOf(entry.key)).add(entry);
        if (this.#isListed(entry)) this.#guides.of(this.#tree.groupOf(entry.category)).add(entry);
      },
      wiki: () => this.#pages.add(entry),
      image: () => this.#media.of("image").add(entry),
      video: () => this.#media.of("video").add(entry),
      document: () => this.#media.of("document").add(entry),
    };
    place[entry.kind]?.();
  }

  #hang(entry: OpenEntry, parent: string | null): void {
    const before = this.#children.of(this.#tree.groupOf(entry.category));
    this.#tree.hang(entry, parent);
    const after = this.#children.of(this.#tree.groupOf(entry.category));
    if (before !== after) {
      before.remove(entry);
      after.add(entry);
    }
    after.touch();
  }

  #move(entry: OpenEntry, category: string | null): void {
    const before = this.#guides.of(this.#tree.groupOf(entry.category));
    entry.category = category;
    const after = this.#guides.of(this.#tree.groupOf(category));
    if (before === after || !this.#isListed(entry)) return;
    before.remove(entry);
    after.add(entry);
  }

  /** Translations stand beside their guide, unless that is not there. */
  #isListed({ key }: Entry): boolean {
    return languageIn(key) === undefined || !this.#records.has(`guide/${numberOf(key)}`);
  }

  #touch(entry: Entry): void {
    if (entry.kind === "wiki") this.#pages.touch();
    if (entry.kind === "guide") this.#guides.of(this.#tree.groupOf(entry.category)).touch();
    for (const tag of entry.more?.tags ?? []) this.#tags.touch(tag);
  }
}

/** What the languages of a guide share. */
function numberOf(key: Key): string {
  return restOf(key).split("@", 1)[0] ?? "";
}
