/**
 * The order of steps that somebody may have moved, added and removed: where only one side moved steps, theirs with ours in our order. undefined: both
 * moved them, each otherwise. What isn't there any more has no place; what they added keeps its own, behind the one before it.
 */
export function mergeOrder(base: unknown, theirs: unknown, ours: unknown): readonly number[] | undefined {
  const [before, there, wanted] = [ids(base), ids(theirs), ids(ours)];
  const merged = placed(wanted, there);
  const isMoved = (order: readonly number[]): boolean => among(order, before).join() !== among(before, order).join();
  if (merged.join() === there.join() || !isMoved(there)) return merged;
  return isMoved(wanted) ? undefined : there;
}

/** `wanted`, as far as it is present, in its order; the others stay behind the one before them. */
export function placed<Id>(wanted: readonly Id[], present: readonly Id[]): readonly Id[] {
  const order = among(wanted, present);
  for (const [index, id] of present.entries()) {
    if (order.includes(id)) continue;
    const before = present[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  return order;
}

function among<Id>(order: readonly Id[], others: readonly Id[]): Id[] {
  return order.filter((id) => others.includes(id));
}

function ids(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
