import type { Entry } from "./catalogue.js";
import { EntryGroups } from "./entry-group.js";
import type { Orders } from "./order-of.js";
import { tagPath } from "./page-path.js";

/** A tag with the number of its items. */
export interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

/** Which items have which tag. A site may have tens of thousands of tags, and every page asks whether there is any. */
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
