/** A bracket without a partner would end the macro around it elsewhere; the wide form of it looks the same and ends nothing. */
export function withoutLooseBrackets(value: string): string {
  const open: number[] = [];
  const loose = new Set<number>();
  for (const { 0: bracket, index } of value.matchAll(/[[\]]/g)) {
    if (bracket === "[") open.push(index);
    else if (open.pop() === undefined) loose.add(index);
  }
  for (const index of open) loose.add(index);
  return value.replaceAll(/[[\]]/g, (bracket, index) => (loose.has(index) ? WIDE[bracket as "[" | "]"] : bracket));
}

const WIDE = { "[": "\uFF3B", "]": "\uFF3D" } as const;
