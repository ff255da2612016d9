import type { ListedEntry } from "../../archive/read-list.js";

const SIGNATURE = 0x02014b50;
const HEADER = 46;
const LARGE = 0xffffffff;
const ENCRYPTED = 0x2041;

/**
 * The list of entries of an archive that guideferry wrote, as compact as it lies in the file: a repository has hundreds of archives open in
 * turn, and of each a few entries are wanted. So nothing is made of an entry before it is asked for. It takes only what guideferry writes:
 * names of ASCII, deflate or none, each name once. A name is only looked up here, never written to a disk.
 */
export class EntryTable {
  readonly #list: Buffer;
  /** Where each entry begins, by name. */
  readonly #sorted: Uint32Array;

  /** Throws Error with one clause about what is wrong. */
  constructor(list: Buffer, count: number) {
    this.#list = list;
    this.#sorted = this.#inOrder(this.#walk(count));
  }

  get count(): number {
    return this.#sorted.length;
  }

  /** Bytes that it takes in memory. */
  get bytes(): number {
    return this.#list.length + this.#sorted.byteLength;
  }

  find(path: string): ListedEntry | undefined {
    const wanted = Buffer.from(path);
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    if (low >= this.#sorted.length || this.#compare(low, wanted) !== 0) return undefined;
    return this.#entry(this.#sorted[low] ?? 0);
  }

  /** How many entries lie below a folder, `items/`. */
  countBelow(folder: string): number {
    const wanted = Buffer.from(folder);
    let count = 0;
    for (const at of this.#sorted) if (this.#name(at).subarray(0, wanted.length).equals(wanted)) count += 1;
    return count;
  }

  /** By name. */
  *[Symbol.iterator](): IterableIterator<ListedEntry> {
    for (const at of this.#sorted) yield this.#entry(at);
  }

  #walk(count: number): readonly number[] {
    const list = this.#list;
    const places: number[] = [];
    let at = 0;
    for (let number = 1; number <= count; number += 1) {
      const fits = at + HEADER <= list.length && list.readUInt32LE(at) === SIGNATURE;
      const end = fits ? at + HEADER + this.#lengthsAt(at) : 0;
      if (!fits || end > list.length) throw new Error(`entry ${number} of ${count} in its list of entries is damaged`);
      places.push(at);
      at = end;
    }
    if (at !== list.length) throw new Error(`its ${count} entries take ${at} bytes, their list has ${list.length}`);
    return places;
  }

  #lengthsAt(at: number): number {
    const list = this.#list;
    return list.readUInt16LE(at + 28) + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }

  #inOrder(places: readonly number[]): Uint32Array {
    const sorted = Uint32Array.from(places.toSorted((one, other) => this.#order(one, other)));
    for (let index = 1; index < sorted.length; index += 1) {
      const [before, after] = [sorted[index - 1] ?? 0, sorted[index] ?? 0];
      if (this.#order(before, after) !== 0) continue;
      throw new Error(`two entries have the name ${JSON.stringify(this.#name(after).toString("latin1"))}`);
    }
    return sorted;
  }

  /** The name of the entry with this number against another one. */
  #compare(index: number, wanted: Buffer): number {
    const at = (this.#sorted[index] ?? 0) + HEADER;
    const length = this.#list.readUInt16LE(at - HEADER + 28);
    return this.#list.compare(wanted, 0, wanted.length, at, at + length);
  }

  /** By name; without a new object for each of some hundred thousand comparisons. */
  #order(one: number, other: number): number {
    const list = this.#list;
    const [from, start] = [one + HEADER, other + HEADER];
    return list.compare(list, start, start + list.readUInt16LE(other + 28), from, from + list.readUInt16LE(one + 28));
  }

  #name(at: number): Buffer {
    return this.#list.subarray(at + HEADER, at + HEADER + this.#list.readUInt16LE(at + 28));
  }

  /** Throws Error for an entry that guideferry would not have written. */
  #entry(at: number): ListedEntry {
    const list = this.#list;
    const name = this.#name(at).toString("latin1");
    const [method, flags] = [list.readUInt16LE(at + 10), list.readUInt16LE(at + 8)];
    if ((method !== 0 && method !== 8) || (flags & ENCRYPTED) !== 0)
      throw new Error(`${name} is packed in a foreign way`);
    return {
      path: name,
      spelling: name,
      rawName: name,
      isFolder: false,
      isJunk: false,
      method,
      flags,
      crc32: list.readUInt32LE(at + 16),
      ...this.#numbers(at),
    };
  }

  /** With those of the zip64 field (APPNOTE 4.5.3), which has only what does not fit. */
  #numbers(at: number): Pick<ListedEntry, "size" | "packedSize" | "at"> {
    const list = this.#list;
    const plain = [list.readUInt32LE(at + 24), list.readUInt32LE(at + 20), list.readUInt32LE(at + 42)] as const;
    const field = this.#zip64(at);
    let used = 0;
    const [size, packedSize, place] = plain.map((number) => {
      if (number !== LARGE) return number;
      if (used + 8 > field.length) throw new Error("an entry has no sizes");
      used += 8;
      return Number(field.readBigUInt64LE(used - 8));
    });
    return { size: size ?? 0, packedSize: packedSize ?? 0, at: place ?? 0 };
  }

  #zip64(at: number): Buffer {
    const list = this.#list;
    const from = at + HEADER + list.readUInt16LE(at + 28);
    const fields = list.subarray(from, from + list.readUInt16LE(at + 30));
    for (let position = 0; position + 4 <= fields.length; ) {
      const end = position + 4 + fields.readUInt16LE(position + 2);
      if (fields.readUInt16LE(position) === 1) return fields.subarray(position + 4, end);
      position = end;
    }
    return Buffer.alloc(0);
  }
}
