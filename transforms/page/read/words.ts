import { plainText } from "../../html/plain-text.js";
import type { Draft, Tell } from "../../settle/draft.js";
import { settleLine, settlePage } from "../../settle/settle.js";
import { print } from "../../wiki/print.js";
import type { Block, Inline } from "../../wiki/tree.js";
import { onOneLine } from "../on-one-line.js";

/** Blocks as wiki text that says what they say. */
export function wikiText(drafts: readonly Draft[]): string {
  const [first] = drafts;
  if (first === undefined) return "";
  return print(settlePage(drafts, first.tell)).trim();
}

/** Running text as a line of a step. */
export function lineText(inlines: readonly Inline[], tell: Tell): string {
  return print(settleLine(inlines, tell)).trim();
}

/** Running text as words alone, for places that hold no markup; `what` names the place. */
export function plainWords(inlines: readonly Inline[], what: string, tell: Tell): string {
  const words = onOneLine(plainText(inlines));
  if (!inlines.every(isWords)) {
    tell("plain-words", "loss", `${what} holds words alone; the markup in ${JSON.stringify(words.slice(0, 60))} goes.`);
  }
  return words;
}

/** Whether inlines are words without markup. An address in running text is one. */
export function isWords(inline: Inline): boolean {
  return inline.type === "text" || (inline.type === "link" && inline.kind === "bare");
}

/** The words of a block that is a paragraph of words without markup; undefined for any other. */
export function wordsOfParagraph(block: Block): string | undefined {
  return block.type === "paragraph" && block.children.every(isWords) ? onOneLine(plainText(block.children)) : undefined;
}
