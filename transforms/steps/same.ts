/** The object with other fields; the very same one when they hold what it has already. */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  const names = Object.keys(fields) as (keyof T)[];
  return names.every((name) => fields[name] === value[name]) ? value : { ...value, ...fields };
}

/** The list with every entry changed; the very same one when each comes back as it was. */
export function mapSame<T>(list: readonly T[], change: (entry: T, index: number) => T): readonly T[] {
  const changed = list.map(change);
  return changed.every((entry, index) => entry === list[index]) ? list : changed;
}
