import { diffArrays } from "diff";
import { maxEditLength } from "../../../../src/core/util/diff-bounds.js";

/** Numbers of the elements of one list. */
export interface Differing {
  /** That the other list has not at this place. */
  readonly changed: ReadonlySet<number>;
  /** Beside a place where something came or went. */
  readonly near: ReadonlySet<number>;
}

/**
 * What differs between two lists, in time that has a bound: where they have so little in common that finding it would take long, all of both differs but their equal
 * beginnings and ends.
 */
export function differing(before: readonly string[], after: readonly string[]): readonly [Differing, Differing] {
  const [old, now] = [new Marks(), new Marks()];
  const changes = diffArrays([...before], [...after], { maxEditLength: maxEditLength(before.length, after.length) });
  const all = changes ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  for (const { removed, added, count } of all) {
    if (removed) {
      old.change(count);
      now.touch();
    } else if (added) {
      now.change(count);
      old.touch();
    } else {
      old.at += count;
      now.at += count;
    }
  }
  return [old, now];
}

class Marks implements Differing {
  readonly changed = new Set<number>();
  readonly near = new Set<number>();
  at = 0;

  change(count: number): void {
    this.touch();
    for (const end = this.at + count; this.at < end; this.at += 1) this.changed.add(this.at);
    this.touch();
  }

  touch(): void {
    this.near.add(this.at - 1).add(this.at);
  }
}
