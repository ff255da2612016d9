import type { Tell } from "../settle/draft.js";
import type { TextIssue } from "../wiki/tree.js";

/** Something to tell about a document tree: places are paths, since a tree has no offsets (`start` and `end` are 0). */
export interface TreeIssue extends TextIssue {
  /** `content[3].content[0]`; empty for the whole document. */
  readonly path: string;
}

/** What the readers of one tree share. */
export interface Reading {
  readonly issues: TreeIssue[];
}

/** Where a reader stands. */
export interface Spot {
  readonly reading: Reading;
  readonly path: string;
  readonly depth: number;
  /** Whether a quote is around it: quotes do not nest in wiki text. */
  readonly quoted: boolean;
}

/** Deeper trees are read as their bare text: nothing that a person writes comes near, and recursion must end. */
export const DEEPEST_NODE = 100;

/** The place of a child in `content`. */
export function inside(spot: Spot, index: number): Spot {
  const { path, depth } = spot;
  return { ...spot, path: path === "" ? `content[${index}]` : `${path}.content[${index}]`, depth: depth + 1 };
}

export function report({ reading, path }: Spot, code: string, level: TextIssue["level"], message: string): void {
  reading.issues.push({ code, level, message, path, start: 0, end: 0 });
}

/** Reports at a place what is found later. */
export function tellAt(spot: Spot): Tell {
  return (code, level, message) => report(spot, code, level, message);
}
