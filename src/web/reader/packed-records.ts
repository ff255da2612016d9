/** Bytes that are asked for at a time. */
const PIECE = 1 << 20;
/** Bytes in front of a record: how long its key is, and how long its value. */
const HEAD = 8;
/** A place is the number of a piece times this, and the byte in it: a number that a Float64Array holds exactly. */
const IN_A_PIECE = 2 ** 32;

/**
 * Values by key, as JSON outside of the heap: a large site has a hundred thousand rows, and whatever lies on the heap is there several times over by the time that its
 * garbage is collected. Each reading of one makes it anew.
 */
export class PackedRecords<Value> {
  readonly #pieces: Buffer[] = [];
  /** Where records begin, in the order of their keys once somebody looked for one. */
  #places = new Float64Array(1024);
  #size = 0;
  /** Bytes of the last piece. */
  #used = PIECE;
  #last = "";
  #isSorted = true;

  get size(): number {
    return this.#size;
  }

  /** Keys may come in any order; one of those that come twice is found. */
  add(key: string, value: Value): void {
    // As JSON too: a title with half a pair of surrogates has no UTF-8.
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

  /** All, in the order of their keys by code units. */
  *values(): Generator<Value> {
    this.#sort();
    for (let at = 0; at < this.#size; at += 1) yield this.#value(this.#places[at] ?? 0);
  }

  /** Where so many bytes have room in the last piece. */
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
    // It went in as this type a moment ago, and nothing else writes there.
    return JSON.parse(piece.toString("utf8", begin, begin + piece.readUInt32LE(at + 4))) as Value;
  }

  #at(place: number): readonly [Buffer, number] {
    const number = Math.floor(place / IN_A_PIECE);
    const piece = this.#pieces[number];
    if (piece === undefined) throw new RangeError(`there is no piece ${number}`);
    return [piece, place - number * IN_A_PIECE];
  }
}
