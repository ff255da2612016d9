/** Names by number: those of some archives stand in a hundred thousand rows. */
export class NameList {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  /** Throws RangeError for a number that no name has. */
  at(number: number): string {
    const name = this.#names[number];
    if (name === undefined) throw new RangeError(`there is no name ${number}`);
    return name;
  }
}
