/** A line with the lines that are indented below it. */
export interface NestedLine<T> {
  readonly line: T;
  readonly below: readonly NestedLine<T>[];
}

/** Lines by how far they are indented: each below the last one before it that is indented less. `levelOf`: from 0. */
export function nestedLines<T>(lines: readonly T[], levelOf: (line: T) => number): readonly NestedLine<T>[] {
  const roots: NestedLine<T>[] = [];
  const open: { readonly level: number; readonly below: NestedLine<T>[] }[] = [];
  for (const line of lines) {
    const level = levelOf(line);
    while ((open.at(-1)?.level ?? -1) >= level) open.pop();
    const below: NestedLine<T>[] = [];
    (open.at(-1)?.below ?? roots).push({ line, below });
    open.push({ level, below });
  }
  return roots;
}
