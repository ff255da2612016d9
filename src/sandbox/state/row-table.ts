import { type Answer, numberAt } from "./answer.js";

/** Rows of JSON with a number each: what is enough for a family whose fields nobody knows for certain. */
export class RowTable {
  readonly #rows = new Map<number, Answer>();
  #last = 0;
  /** The field that holds a row's number. */
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  /** All rows in the order of their numbers. */
  all(): readonly Answer[] {
    return [...this.#rows].toSorted(([one], [other]) => one - other).map(([, row]) => row);
  }

  get(id: number): Answer | undefined {
    return this.#rows.get(id);
  }

  /** Any row that fits. */
  find(fits: (row: Answer) => boolean): Answer | undefined {
    for (const row of this.#rows.values()) if (fits(row)) return row;
    return undefined;
  }

  /** Puts a row in the place of its number; a row without one gets the next. */
  put(fields: Answer): Answer {
    const id = numberAt(fields, this.id) ?? this.#last + 1;
    const row = { [this.id]: id, ...fields };
    this.#last = Math.max(this.#last, id);
    this.#rows.set(id, row);
    return row;
  }

  /** Takes a row away; its number is not given again. */
  remove(id: number): boolean {
    return this.#rows.delete(id);
  }

  clear(): void {
    this.#rows.clear();
  }
}
