import type { Loaded, Written } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";

/**
 * What of an item somebody edited, added or deleted at the target since we last left it. `present`: as it stands; undefined: it is gone
 * as a whole. The guide itself stands for steps that were added and moved.
 */
export function editedThings(item: Key, present: readonly Written[] | undefined, loaded: Loaded): readonly Key[] {
  if (present === undefined) return [item];
  const there = new Map(present.map((written) => [written.key, written]));
  const edited = new Set<Key>();
  for (const ours of loaded.written.values()) {
    const now = there.get(ours.key);
    if (now === undefined ? kindOf(ours.key) === "step" || ours.key === item : now.left !== ours.left)
      edited.add(ours.key);
  }
  const isOrdered = orderOf(loaded.written.get(item)) === orderOf(there.get(item));
  if (!isOrdered) edited.add(item);
  return [...edited];
}

function orderOf(written: Written | undefined): string {
  const steps = written?.facts["steps"];
  return Array.isArray(steps) ? steps.join() : "";
}
