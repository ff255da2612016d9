import type { Scratch } from "../storage/workspace/scratch.js";

/** Where rows come from. */
export interface RowSource<Row> {
  /** Of the notes. */
  readonly topic: string;
  /** Reads the manifest from its beginning up to this row. */
  one(key: string): Promise<Row | undefined>;
  /** Reads it whole. */
  all(): AsyncIterable<Row>;
  keyOf(row: Row): string;
}

/** So many rows are looked up by themselves: a small choice is done sooner than a manifest of a large site is read. */
export const ONE_BY_ONE = 16;

/** Finds rows of a manifest. Whoever asks for many gets them from notes that one pass over all rows makes, so that the work grows with the manifest and not with its square. */
export class RowLookup<Row> {
  readonly #source: RowSource<Row>;
  #scratch: Scratch | undefined;
  #asked = 0;
  #noted: Promise<Scratch> | undefined;

  constructor(source: RowSource<Row>) {
    this.#source = source;
  }

  /** From now on rows may be noted there; without it each is looked up by itself. */
  noteIn(scratch: Scratch): void {
    this.#scratch = scratch;
    this.#noted = undefined;
  }

  async find(key: string): Promise<Row | undefined> {
    this.#asked += 1;
    if (this.#scratch === undefined || this.#asked <= ONE_BY_ONE) return this.#source.one(key);
    this.#noted ??= this.#noteAll(this.#scratch);
    const noted = (await this.#noted).get(this.#source.topic, key);
    return noted === undefined ? undefined : (JSON.parse(noted) as Row);
  }

  async #noteAll(scratch: Scratch): Promise<Scratch> {
    const { topic, keyOf, all } = this.#source;
    scratch.clear(topic);
    for await (const row of all()) scratch.put(topic, keyOf(row), JSON.stringify(row));
    return scratch;
  }
}
