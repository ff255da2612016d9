/** Values by key; keeps the ones used last. */
export class RecentlyUsed<Key, Value> {
  readonly #most: number;
  readonly #leaves: (value: Value) => void;
  readonly #values = new Map<Key, Value>();

  /** Keeps `most` values. Calls `leaves` with each that it drops. */
  constructor(most: number, leaves: (value: Value) => void = () => undefined) {
    this.#most = most;
    this.#leaves = leaves;
  }

  get(key: Key, make: () => Value): Value {
    const value = this.#values.has(key) ? (this.#values.get(key) as Value) : make();
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) if (this.#values.size > this.#most) this.#drop(oldest);
    return value;
  }

  /** The one used last comes last. */
  values(): readonly Value[] {
    return [...this.#values.values()];
  }

  /** Drops a key, if it still has this value. */
  forget(key: Key, value: Value): void {
    if (this.#values.get(key) === value) this.#drop(key);
  }

  remove(key: Key): void {
    if (this.#values.has(key)) this.#drop(key);
  }

  /** The value of a key; it does not count as a use. */
  peek(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  clear(): void {
    for (const key of [...this.#values.keys()]) this.#drop(key);
  }

  #drop(key: Key): void {
    const value = this.#values.get(key) as Value;
    this.#values.delete(key);
    this.#leaves(value);
  }
}
