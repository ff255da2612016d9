import { plainText } from "../../html/plain-text.js";
import type { Tell } from "../../settle/draft.js";
import type { Block } from "../../wiki/tree.js";
import { onOneLine } from "../on-one-line.js";
import type { PagePiece } from "./page-source.js";

/** A fact as a page has it: `Difficulty: Easy`. */
export interface ReadFact {
  readonly label: string;
  readonly value: string;
  readonly tell: Tell;
}

const FACT = /^([^:]{1,200}):(?: (.*))?$/s;

/** The facts of a list whose items are all such; undefined for any other piece. */
export function factsOf(piece: PagePiece): readonly ReadFact[] | undefined {
  if (piece.type !== "block" || piece.draft.block.type !== "list") return undefined;
  const { block, tell } = piece.draft;
  const facts = itemWords(block).map((words) => FACT.exec(words));
  if (facts.some((found) => found === null)) return undefined;
  return facts.map((found) => ({ label: found?.[1] ?? "", value: found?.[2] ?? "", tell }));
}

/** The words of each item; an item with a list below it has none. */
function itemWords(block: Extract<Block, { type: "list" }>): readonly string[] {
  return block.children.map(({ children, lists }) => (lists.length > 0 ? "" : onOneLine(plainText(children))));
}

/** The first value of a label; what stands there twice is told. */
export function firstValue(facts: readonly ReadFact[], label: string): string | undefined {
  const [first, ...more] = facts.filter((each) => each.label === label);
  for (const { value, tell } of more)
    tell("fact-twice", "loss", `${label} is said twice; ${JSON.stringify(value.slice(0, 60))} is left out.`);
  return first?.value;
}

export function valuesOf(facts: readonly ReadFact[], label: string): readonly string[] {
  return facts.filter((each) => each.label === label).map(({ value }) => value);
}

/** The front of a page, cut at its facts. */
export interface Front {
  /** Without facts all of it stands behind them. */
  readonly before: readonly PagePiece[];
  readonly facts: readonly ReadFact[];
  readonly after: readonly PagePiece[];
}

/** `isOwn`: whether a list of facts is one that pages of ours have, not a list of the text. */
export function frontOf(pieces: readonly PagePiece[], isOwn: (facts: readonly ReadFact[]) => boolean): Front {
  for (const [at, piece] of pieces.entries()) {
    const facts = factsOf(piece);
    if (facts !== undefined && isOwn(facts)) return { before: pieces.slice(0, at), facts, after: pieces.slice(at + 1) };
  }
  return { before: [], facts: [], after: pieces };
}
