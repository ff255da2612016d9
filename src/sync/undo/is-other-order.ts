/** Do the ids that two lists share stand in another order in one than in the other? What isn't a list has no order. */
export function isOtherOrder(one: unknown, other: unknown): boolean {
  const [first, second] = [idsIn(one), idsIn(other)];
  return among(first, second).join() !== among(second, first).join();
}

function among(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
