const WORDS =
  "warp weft shed heddle shuttle bobbin reed beater treadle lease selvedge thread loom frame knot turn hold press lift pull slowly gently again until before after under over beside through every second third until it clicks the a of and with from into".split(
    " ",
  );

/** Words and bytes that look random and are the same in every run. */
export class Noise {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  words(count: number): string {
    const taken = Array.from({ length: count }, () => WORDS[Math.floor(this.next() * WORDS.length)]);
    return `${taken.join(" ")}.`;
  }

  /** Bytes that no packing makes smaller. */
  bytes(count: number): Buffer {
    const words = new Uint32Array(Math.ceil(count / 4));
    for (let at = 0; at < words.length; at += 1) words[at] = this.next() * 2 ** 32;
    return Buffer.from(words.buffer, 0, count);
  }
}
