import type { ItemKind, Key } from "../../core/model/key.js";
import type { MediaRow, Place, PresentRow } from "../../storage/repository/format.js";
import type { SnapshotRow } from "./library.js";

/** Bytes allocated at once. */
const PIECE = 1 << 20;
/** Bytes before a record: the lengths of its key and value. */
const HEAD = 8;
/** A place is the number of a piece times this plus the byte in it, exact in a Float64Array. */
const IN_A_PIECE = 2 ** 32;

/**
 * Values by key as JSON outside of the heap: a large site has a hundred thousand rows, and heap
 * objects would take several times their size until garbage collection.
 */
export class PackedRecords<Value> {
  readonly #pieces: Buffer[] = [];
  /** Offsets of records, sorted by key on first use. */
  #places = new Float64Array(1024);
  #size = 0;
  #used = PIECE;
  #last = "";
  #isSorted = true;

  get size(): number {
    return this.#size;
  }

  /** Takes keys in any order; of a duplicate key one value is found. */
  add(key: string, value: Value): void {
    // JSON, since half a surrogate pair has no UTF-8.
    const [name, text] = [JSON.stringify(key), JSON.stringify(value)];
    const [head, body] = [Buffer.byteLength(name), Buffer.byteLength(text)];
    const at = this.#room(HEAD + head + body);
    const piece = this.#pieces[this.#pieces.length - 1] ?? Buffer.alloc(0);
    piece.writeUInt32LE(head, at);
    piece.writeUInt32LE(body, at + 4);
    piece.write(name, at + HEAD);
    piece.write(text, at + HEAD + head);
    this.#note((this.#pieces.length - 1) * IN_A_PIECE + at);
    if (key < this.#last) this.#isSorted = false;
    this.#last = key;
  }

  find(key: string): Value | undefined {
    this.#sort();
    let [low, high] = [0, this.#size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const place = this.#places[middle] ?? 0;
      const found = this.#key(place);
      if (found === key) return this.#value(place);
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** In the order of their keys by code units. */
  *values(): Generator<Value> {
    this.#sort();
    for (let at = 0; at < this.#size; at += 1) yield this.#value(this.#places[at] ?? 0);
  }

  /** Reserves bytes in the last piece. */
  #room(bytes: number): number {
    const last = this.#pieces.at(-1);
    if (last === undefined || this.#used + bytes > last.length) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE, bytes)));
      this.#used = 0;
    }
    this.#used += bytes;
    return this.#used - bytes;
  }

  #note(place: number): void {
    if (this.#size === this.#places.length) {
      const more = new Float64Array(2 * this.#size);
      more.set(this.#places);
      this.#places = more;
    }
    this.#places[this.#size] = place;
    this.#size += 1;
  }

  #sort(): void {
    if (this.#isSorted) return;
    const keys = Array.from(this.#places.subarray(0, this.#size), (place) => ({ place, key: this.#key(place) }));
    keys.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
    this.#places.set(keys.map(({ place }) => place));
    this.#isSorted = true;
    this.#last = keys.at(-1)?.key ?? "";
  }

  #key(place: number): string {
    const [piece, at] = this.#at(place);
    return JSON.parse(piece.toString("utf8", at + HEAD, at + HEAD + piece.readUInt32LE(at))) as string;
  }

  #value(place: number): Value {
    const [piece, at] = this.#at(place);
    const begin = at + HEAD + piece.readUInt32LE(at);
    // `add` wrote it with this type.
    return JSON.parse(piece.toString("utf8", begin, begin + piece.readUInt32LE(at + 4))) as Value;
  }

  #at(place: number): readonly [Buffer, number] {
    const number = Math.floor(place / IN_A_PIECE);
    const piece = this.#pieces[number];
    if (piece === undefined) throw new RangeError(`piece ${number} does not exist`);
    return [piece, place - number * IN_A_PIECE];
  }
}

/** Interned names: a hundred thousand rows name few archives. */
class NameList {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  at(number: number): string {
    const name = this.#names[number];
    if (name === undefined) throw new RangeError(`name ${number} does not exist`);
    return name;
  }
}

type PackedRow = readonly [
  key: Key,
  kind: ItemKind,
  title: string,
  category: string | null,
  modified: number | null,
  sha256: string,
  size: number,
  archive: number,
  path: string,
];

export interface KeptRow extends SnapshotRow {
  readonly present: PresentRow;
}

/** The rows of a snapshot in compact form. */
export class RowTable {
  readonly #rows = new PackedRecords<PackedRow>();
  readonly #archives = new NameList();

  add({ key, kind, title, category, modified, sha256, size, archive, path }: PresentRow): void {
    this.#rows.add(key, [key, kind, title, category, modified, sha256, size, this.#archives.numberOf(archive), path]);
  }

  get(key: Key): KeptRow | undefined {
    const kept = this.#rows.find(key);
    return kept && this.#row(kept);
  }

  /** In the order of their keys. */
  *batches(size: number): Generator<readonly SnapshotRow[]> {
    let batch: SnapshotRow[] = [];
    for (const kept of this.#rows.values()) {
      batch.push(snapshotRowOf(this.#row(kept).present));
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }

  #row([key, kind, title, category, modified, sha256, size, archive, path]: PackedRow): KeptRow {
    const place = { sha256, size, archive: this.#archives.at(archive), path };
    return keptRowOf({
      ...{ key, kind, state: "present", revision: "", title, category, modified, read: 0 },
      ...place,
    });
  }
}

export function keptRowOf(present: PresentRow): KeptRow {
  return { ...snapshotRowOf(present), present };
}

export function snapshotRowOf({ key, kind, title, category, modified, sha256: digest }: PresentRow): SnapshotRow {
  return { key, kind, title, category, modified, digest };
}

type PackedMedium = readonly [size: number, archive: number, path: string];

/**
 * Where the media of a snapshot lie. Read whole on first use: a lookup in the list is a scan, and a
 * page shows twenty.
 */
export class MediaTable {
  readonly #rows: () => AsyncIterable<readonly MediaRow[]>;
  readonly #archives = new NameList();
  #kept: Promise<PackedRecords<PackedMedium>> | undefined;

  constructor(rows: () => AsyncIterable<readonly MediaRow[]>) {
    this.#rows = rows;
  }

  /** Throws ArchiveError (exit 6) when the list is damaged. */
  async find(sha256: string): Promise<Place | undefined> {
    this.#kept ??= this.#read();
    const kept = (await this.#kept).find(sha256);
    if (kept === undefined) return undefined;
    const [size, archive, path] = kept;
    return { sha256, size, archive: this.#archives.at(archive), path };
  }

  async #read(): Promise<PackedRecords<PackedMedium>> {
    const kept = new PackedRecords<PackedMedium>();
    for await (const rows of this.#rows())
      for (const { sha256, size, archive, path } of rows)
        kept.add(sha256, [size, this.#archives.numberOf(archive), path]);
    return kept;
  }
}
