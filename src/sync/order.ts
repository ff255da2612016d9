import type { Key } from "../core/model/key.js";

/** From a key to the keys that have to be loaded before it. */
export type Needs = ReadonlyMap<Key, readonly Key[]>;

/**
 * Sorts keys into waves: each key is in a later wave than all that it needs, and the keys of a wave
 * can be loaded in parallel. A cycle is broken where it is entered first, and the second pass adds
 * what was missing. Needs outside of the given keys don't count. Iterative, so that a long chain
 * can't overflow the stack.
 */
export function waves(keys: readonly Key[], needs: Needs): readonly (readonly Key[])[] {
  const wanted = new Set(keys);
  const depth = new Map<Key, number>();
  for (const key of keys) visit(key, wanted, needs, depth);
  const result: Key[][] = [];
  for (const key of keys) {
    const wave = depth.get(key) ?? 0;
    result[wave] ??= [];
    result[wave].push(key);
  }
  return result.filter((wave) => wave.length > 0);
}

interface Frame {
  readonly key: Key;
  readonly needs: readonly Key[];
  next: number;
  depth: number;
}

function visit(start: Key, wanted: ReadonlySet<Key>, needs: Needs, depth: Map<Key, number>): void {
  if (depth.has(start)) return;
  const open = new Set<Key>([start]);
  const stack: Frame[] = [frameOf(start, needs)];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const need = frame.needs[frame.next];
    if (need === undefined) {
      depth.set(frame.key, frame.depth);
      open.delete(frame.key);
      stack.pop();
      const parent = stack.at(-1);
      if (parent !== undefined) parent.depth = Math.max(parent.depth, frame.depth + 1);
      continue;
    }
    frame.next += 1;
    const known = depth.get(need);
    if (known !== undefined) frame.depth = Math.max(frame.depth, known + 1);
    else if (wanted.has(need) && !open.has(need)) {
      open.add(need);
      stack.push(frameOf(need, needs));
    }
  }
}

function frameOf(key: Key, needs: Needs): Frame {
  return { key, needs: needs.get(key) ?? [], next: 0, depth: 0 };
}
