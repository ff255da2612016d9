import type { Entry } from "./catalogue.js";
import { tagPath } from "./page-path.js";

/** Entries in an order, which is made when somebody asks and something changed. */
export class EntryGroup {
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
    // A list that was given out is not added to; the next one is made by the sorting.
    if (this.#isSorted) this.#entries = [...this.#entries];
    this.#entries.push(entry);
    this.#isSorted = false;
  }

  remove(entry: Entry): void {
    this.#entries = this.#entries.filter((one) => one !== entry);
  }

  /** Something that the order goes by changed in one of them. */
  touch(): void {
    this.#isSorted = false;
  }

  /** A new list whenever something changed, so that a list that was given stays as it was. */
  sorted(): readonly Entry[] {
    if (!this.#isSorted) {
      this.#entries = this.#entries.toSorted(this.#compare);
      this.#isSorted = true;
    }
    return this.#entries;
  }
}

/** Groups by a name; those that are asked for and not there are empty. */
export class EntryGroups<Name> {
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

/**
 * How lists are ordered, by the rules of a site's language; what no language knows is English.
 * Equal ones stand by their keys.
 */
interface Orders {
  readonly byName: (one: string, other: string) => number;
  readonly byTitle: Compare;
  readonly byKey: Compare;
  /** As the site's tree has it; those without a place behind the others, by title. */
  readonly byPlace: Compare;
  readonly byLanguage: Compare;
  readonly byNamespace: Compare;
}

export function orderOf(language: string): Orders {
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

/** A tag with the number of its items. */
interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

/**
 * Which items have which tag. A site may have tens of thousands of tags, and every page asks
 * whether there is any.
 */
export class TagIndex {
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

  /** Something that the order of its items goes by changed. */
  touch(tag: string): void {
    this.#entries.of(tag).touch();
  }

  /** By name. */
  list(): readonly CountedTag[] {
    this.#sorted ??= this.#entries
      .sizes()
      .map(([tag, count]) => ({ tag, count }))
      .toSorted((one, other) => this.#byName(one.tag, other.tag));
    return this.#sorted;
  }

  /** The tag whose page has this address. */
  at(path: string): string | undefined {
    return this.#byPath.get(path);
  }

  tagged(tag: string): readonly Entry[] {
    return this.#entries.sorted(tag);
  }
}
