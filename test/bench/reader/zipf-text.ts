import { Noise } from "../backup/noise.js";

/**
 * How many words a language of the bench has: the technical English of a large site has about as
 * many.
 */
const WORDS = 20_000;
const SYLLABLES = "ba ke lo mi nu ra se ti vo wa zen dur fal gor hin jas kel lem mor pin rok sul tan vek wol "
  .trim()
  .split(" ");

/**
 * Words as people use them: a few of them very often, most of them hardly ever (Zipf). The same in
 * every run.
 */
export class ZipfText {
  readonly #noise: Noise;

  constructor(seed: number) {
    this.#noise = new Noise(seed);
  }

  words(count: number): string {
    return Array.from({ length: count }, () => zipfWord(Math.floor(WORDS ** this.#noise.next()) - 1)).join(" ");
  }
}

/** The word of a rank, from 0, the most frequent one. */
export function zipfWord(rank: number): string {
  let [left, word] = [rank + SYLLABLES.length, ""];
  while (left > 0) {
    word += SYLLABLES[left % SYLLABLES.length] ?? "";
    left = Math.floor(left / SYLLABLES.length);
  }
  return word;
}
