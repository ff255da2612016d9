import type { Item } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key, kindOf, languageIn, restOf } from "../../core/model/key.js";
import {
  type Catalogue,
  type Entry,
  type EntryRecord,
  listedFacts,
  type OpenEntry,
  pictureIn,
  recordOf,
} from "./catalogue.js";
import type { SnapshotRow } from "./library.js";
import { tagPath } from "./page-path.js";

/** Limits a hostile tree; categories below it stand at the top. */
const DEEPEST = 64;

/** Parents of categories without cycles: a category that would close a cycle stands at the top. */
class CategoryTree {
  readonly #categories = new Map<string, OpenEntry>();

  /** Adds each category before any parent is set. */
  add(title: string, entry: OpenEntry): void {
    this.#categories.set(title, entry);
  }

  /** null: no category has this title. */
  groupOf(title: string | null): string | null {
    return title !== null && this.#categories.has(title) ? title : null;
  }

  /** Puts the category at the top where it would be below itself, or too deep. */
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

/** What is known of a snapshot. Does no I/O. */
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
  /** Translated guides by the number that they share with their guide. */
  readonly #translations: EntryGroups<string>;
  readonly #byLanguage: (one: Entry, other: Entry) => number;
  readonly #pages: EntryGroup;

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

  records(): IterableIterator<EntryRecord> {
    return this.#records.values();
  }

  record(key: Key): EntryRecord | undefined {
    return this.#records.get(key);
  }

  /**
   * Takes rows in the order of their keys: categories come before guides, since a guide without a
   * known category stands at the top.
   */
  addRows(rows: readonly SnapshotRow[]): void {
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
      // The row of a record has all that lists show.
      if (record.entry.kind === "record") this.#setState(record, "read");
    }
    this.progress.total = this.#records.size;
  }

  setItem(record: EntryRecord, item: Item, picture: string | null): void {
    const reported = listedFacts(item, this.#language);
    record.picture = pictureIn(item);
    this.#update(record, { ...reported, more: { ...reported.more, image: picture } });
    this.#setState(record, "read");
  }

  /** Copies the facts of an item with equal bytes in another catalogue. */
  copyItem(record: EntryRecord, from: EntryRecord): void {
    const { title, category, more } = from.entry;
    if (more === undefined) return;
    record.picture = from.picture;
    this.#update(record, { title, category, more });
    this.#setState(record, "taken");
  }

  setDamaged(record: EntryRecord, reason: string): void {
    this.damaged.push({ key: record.entry.key, reason });
    this.#setState(record, "damaged");
  }

  #setState(record: EntryRecord, state: EntryRecord["state"]): void {
    if (record.state === "waiting") this.progress.done += 1;
    record.state = state;
  }

  #update(
    { entry }: EntryRecord,
    reported: Pick<Entry, "title" | "category"> & { readonly more: NonNullable<Entry["more"]> },
  ): void {
    const { title, category, more } = reported;
    const isRetitled = entry.title !== title;
    if (entry.more === undefined) for (const tag of more.tags) this.#tags.add(tag, entry);
    entry.more = more;
    entry.title = title;
    if (entry.kind === "category") this.#hang(entry, category);
    if (entry.kind === "guide" && category !== entry.category) this.#move(entry, category);
    if (languageIn(entry.key) !== undefined) this.#translations.of(numberOf(entry.key)).touch();
    if (isRetitled) this.#touch(entry);
  }

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

  /** Translations are listed with their guide, and by themselves where it is absent. */
  #isListed({ key }: Entry): boolean {
    return languageIn(key) === undefined || !this.#records.has(`guide/${numberOf(key)}`);
  }

  #touch(entry: Entry): void {
    if (entry.kind === "wiki") this.#pages.touch();
    if (entry.kind === "guide") this.#guides.of(this.#tree.groupOf(entry.category)).touch();
    for (const tag of entry.more?.tags ?? []) this.#tags.touch(tag);
  }
}

function numberOf(key: Key): string {
  return restOf(key).split("@", 1)[0] ?? "";
}

/** Entries that are sorted on request. */
class EntryGroup {
  readonly #compare: (one: Entry, other: Entry) => number;
  #entries: Entry[] = [];
  #isSorted = true;

  constructor(compare: (one: Entry, other: Entry) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    // Lists that were returned stay as they were; sorting makes the next one.
    if (this.#isSorted) this.#entries = [...this.#entries];
    this.#entries.push(entry);
    this.#isSorted = false;
  }

  remove(entry: Entry): void {
    this.#entries = this.#entries.filter((one) => one !== entry);
  }

  touch(): void {
    this.#isSorted = false;
  }

  /** Returns a new list after each change. */
  sorted(): readonly Entry[] {
    if (!this.#isSorted) {
      this.#entries = this.#entries.toSorted(this.#compare);
      this.#isSorted = true;
    }
    return this.#entries;
  }
}

/** A group that does not exist is empty. */
class EntryGroups<Name> {
  readonly #groups = new Map<Name, EntryGroup>();
  readonly #compare: (one: Entry, other: Entry) => number;

  constructor(compare: (one: Entry, other: Entry) => number) {
    this.#compare = compare;
  }

  of(name: Name): EntryGroup {
    const group = this.#groups.get(name) ?? new EntryGroup(this.#compare);
    this.#groups.set(name, group);
    return group;
  }

  sorted(name: Name): readonly Entry[] {
    return this.#groups.get(name)?.sorted() ?? [];
  }

  sizes(): readonly (readonly [Name, number])[] {
    return [...this.#groups].map(([name, group]) => [name, group.size] as const).filter(([, size]) => size > 0);
  }
}

type Compare = (one: Entry, other: Entry) => number;

/** Orders by the collation of the site's language, else English; equal entries by key. */
interface Orders {
  readonly byName: (one: string, other: string) => number;
  readonly byTitle: Compare;
  readonly byKey: Compare;
  /** By the position in the site's tree, then by title. */
  readonly byPlace: Compare;
  readonly byLanguage: Compare;
  readonly byNamespace: Compare;
}

function orderOf(language: string): Orders {
  const names = collatorOf(language, "base");
  const keys = collatorOf("en", "variant");
  const byName: Orders["byName"] = (one, other) => names.compare(one, other) || plain(one, other);
  const byKey: Compare = (one, other) => keys.compare(one.key, other.key) || plain(one.key, other.key);
  const byTitle: Compare = (one, other) => names.compare(one.title, other.title) || byKey(one, other);
  const places = ({ more }: Entry): number => more?.position ?? Number.POSITIVE_INFINITY;
  return {
    byName,
    byTitle,
    byKey,
    byPlace: (one, other) => plain(places(one), places(other)) || byTitle(one, other),
    byLanguage: (one, other) => plain(one.more?.language ?? "", other.more?.language ?? "") || byKey(one, other),
    byNamespace: (one, other) => plain(namespaceOf(one), namespaceOf(other)) || byTitle(one, other),
  };
}

function namespaceOf({ key }: Entry): string {
  return key.split("/", 2).join("/");
}

function collatorOf(language: string, sensitivity: "base" | "variant"): Intl.Collator {
  const tag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language) ? language : "en";
  return new Intl.Collator([tag, "en"], { numeric: true, sensitivity });
}

function plain<T extends string | number>(one: T, other: T): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

/**
 * Items by tag. A site may have tens of thousands of tags, and every page asks whether there is
 * any.
 */
class TagIndex {
  readonly #entries: EntryGroups<string>;
  readonly #byName: Orders["byName"];
  readonly #byPath = new Map<string, string>();
  #sorted: readonly CountedTag[] | undefined;

  constructor({ byTitle, byName }: Pick<Orders, "byTitle" | "byName">) {
    this.#entries = new EntryGroups(byTitle);
    this.#byName = byName;
  }

  get isEmpty(): boolean {
    return this.#byPath.size === 0;
  }

  add(tag: string, entry: Entry): void {
    const group = this.#entries.of(tag);
    if (group.size === 0) this.#byPath.set(tagPath(tag), tag);
    group.add(entry);
    this.#sorted = undefined;
  }

  /** The sort key of an item changed. */
  touch(tag: string): void {
    this.#entries.of(tag).touch();
  }

  list(): readonly CountedTag[] {
    this.#sorted ??= this.#entries
      .sizes()
      .map(([tag, count]) => ({ tag, count }))
      .toSorted((one, other) => this.#byName(one.tag, other.tag));
    return this.#sorted;
  }

  at(path: string): string | undefined {
    return this.#byPath.get(path);
  }

  tagged(tag: string): readonly Entry[] {
    return this.#entries.sorted(tag);
  }
}
