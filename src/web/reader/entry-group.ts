import type { Entry } from "./catalogue.js";

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
