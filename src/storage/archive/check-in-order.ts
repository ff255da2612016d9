import { checkContents } from "./check-contents.js";
import { checkHeaders, type Extent } from "./check-headers.js";
import { checkSize, checkTotal } from "./check-sizes.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveLimits } from "./limits.js";
import { type ListedEntry, listedEntries } from "./read-list.js";

/** How the entries of an archive with very many of them must stand. */
export interface EntryOrder {
  /** As many entries at most. */
  readonly entries: number;
  /** As many bytes of the list of entries at most. */
  readonly listBytes: number;
  /** What an entry is sorted by, each later than the one before; undefined: no such archive has an entry with this path. */
  readonly sortedBy: (path: string) => string | undefined;
}

/** Entries that are looked at together. */
const AT_ONCE = 4096;

/**
 * Looks at an archive whose entries stand in an order, one behind the other, as the usual checks do, and holds few of them at a time. That each name is later
 * than the one before takes the place of comparing all names, that each entry begins where the one before ends the place of looking for shared
 * and stray bytes. It ends with the first entries that have an error.
 */
export async function checkInOrder(
  list: EntryList,
  order: EntryOrder,
  limits: ArchiveLimits,
  findings: FindingList,
): Promise<void> {
  if (list.entryCount > order.entries || list.size > order.listBytes) {
    findings.add("E_ZIP_ENTRY_COUNT", null, `it has ${list.entryCount} entries, the limit is ${order.entries}`);
    return;
  }
  await new OrderedEntries(list, order, limits, findings).check();
}

class OrderedEntries {
  readonly #list: EntryList;
  readonly #order: EntryOrder;
  readonly #limits: ArchiveLimits;
  readonly #findings: FindingList;
  /** What the entry before is sorted by. */
  #last = "";
  /** Where the entry before ends. */
  #reached = 0;
  /** Bytes of all contents until now. */
  #total = 0;
  #otherEnds: readonly number[];

  constructor(list: EntryList, order: EntryOrder, limits: ArchiveLimits, findings: FindingList) {
    this.#list = list;
    this.#order = order;
    this.#limits = limits;
    this.#findings = findings;
    this.#otherEnds = list.otherEnds;
    this.#reached = -list.prefix;
  }

  async check(): Promise<void> {
    let window: ListedEntry[] = [];
    for await (const entry of listedEntries(this.#list, this.#limits, this.#findings)) {
      window.push(entry);
      if (window.length <= AT_ONCE) continue;
      // The last one tells where the one before it must end.
      await this.#checkWindow(window.slice(0, -1), entry.at);
      if (this.#findings.isRefused) return;
      window = [entry];
    }
    await this.#checkWindow(window, this.#list.at);
    if (this.#findings.isRefused) return;
    if (this.#reached !== this.#list.at) this.#refuse(null, "bytes that belong to none stand before their list");
    const [other] = this.#otherEnds;
    if (other !== undefined)
      this.#findings.add("E_ZIP_AMBIGUOUS", null, `another end record stands at byte ${other + this.#list.prefix}`);
  }

  async #checkWindow(entries: readonly ListedEntry[], next: number): Promise<void> {
    for (const entry of entries) this.#checkPlace(entry);
    checkTotal(this.#total, this.#list.file.size, this.#limits, this.#findings);
    if (this.#findings.isRefused) return;
    const extents = await checkHeaders({ ...this.#list, at: next }, entries, this.#findings);
    for (const extent of extents) this.#checkExtent(extent);
    if (!this.#findings.isRefused) await checkContents(this.#list.file, extents, this.#findings);
  }

  #checkPlace(entry: ListedEntry): void {
    const by = this.#order.sortedBy(entry.path);
    if (by === undefined || entry.isFolder || entry.path !== entry.rawName)
      this.#refuse(entry, "its name is none of theirs");
    else if (by <= this.#last) this.#refuse(entry, "it does not stand in their order");
    this.#last = by ?? this.#last;
    this.#total += entry.size;
    checkSize(entry, this.#limits, this.#findings);
  }

  #checkExtent({ entry, at, contentAt, contentEnd, end }: Extent): void {
    if (at !== this.#reached) this.#refuse(entry, "it does not begin where the one before it ends");
    this.#reached = end;
    this.#otherEnds = this.#otherEnds.filter((place) => place < contentAt || place >= contentEnd);
  }

  #refuse(entry: ListedEntry | null, why: string): void {
    const { entryCount } = this.#list;
    const detail = `it has ${entryCount} entries, and only an archive that stands as guideferry writes it may have more than ${this.#limits.entries}`;
    const where = entry === null ? why : `"${entry.path}": ${why}`;
    this.#findings.add("E_ZIP_ENTRY_COUNT", null, `${detail} (${where})`);
  }
}
