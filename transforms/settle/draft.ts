import type { Block, TextIssue } from "../wiki/tree.js";

/** Says something about a text that is being settled. */
export type Tell = (code: string, level: TextIssue["level"], message: string) => void;

/** A block that was made from something else than wiki text, and whom to tell what had to be done about it. */
export interface Draft {
  readonly block: Block;
  readonly tell: Tell;
}
