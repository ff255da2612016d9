import type { Element } from "hast";
import type { Tell } from "../../settle/draft.js";
import { lineBreak, mark, text } from "../../wiki/build-inlines.js";
import type { Block, Inline, ListItem } from "../../wiki/tree.js";
import { finishWords } from "./finish-words.js";
import { gather } from "./gather.js";
import { type Item, isInline } from "./item.js";
import { markInlines } from "./mark-handlers.js";
import type { Reading } from "./reading.js";

/**
 * Items as words, for places that hold no blocks: items of lists, cells, headings, labels, step lines. Between blocks comes
 * `between`; that there were blocks is lost and reported.
 */
export function flatten(items: readonly Item[], between: readonly Inline[], tell: Tell): readonly Inline[] {
  if (items.every(isInline)) return items;
  const blocks = gather(items);
  if (blocks.filter(({ type }) => type !== "embed").length > 1)
    tell("blocks-joined", "loss", "Blocks that stood on lines of their own now stand on one.");
  return blocks.flatMap((block, index) => {
    if (!PLAIN.has(block.type)) {
      tell("block-flattened", "loss", `A ${block.type} cannot stand in this place; only its words are kept.`);
    }
    const words = wordsOf(block, between);
    const joins = index === 0 || block.type === "embed" || blocks[index - 1]?.type === "embed";
    return joins ? words : [...between, ...words];
  });
}

/** Tells what became of blocks in an element. */
export function tellOf(element: Element, { report }: Reading): Tell {
  return (code, level, message) => report(code, level, message, element);
}

/** Between blocks on one line. */
export const BREAK: readonly Inline[] = [lineBreak()];

/** Between blocks where there is no second line. */
export const BLANK: readonly Inline[] = [text(" ")];

/** Blocks that are no more than words. */
const PLAIN: ReadonlySet<Block["type"]> = new Set<Block["type"]>(["paragraph", "embed"]);

type Handlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    between: readonly Inline[],
  ) => readonly Inline[];
};

function wordsOf(block: Block, between: readonly Inline[]): readonly Inline[] {
  const words = HANDLERS[block.type] as (block: Block, between: readonly Inline[]) => readonly Inline[];
  return words(block, between);
}

const HANDLERS: Handlers = {
  paragraph: ({ children }) => children,
  heading: ({ children }) => markInlines("strong", children),
  list: ({ children }, between) =>
    joined(
      children.map((item) => wordsOfItem(item, between)),
      between,
    ),
  codeBlock: ({ value }) => [mark("code", [text(value.replace(/(?<!\s)\s*\n\s*/g, " "))])],
  quote: ({ children, attribution }, between) =>
    joined([...children.map((block) => wordsOf(block, between)), attribution], between),
  embed: ({ child }) => [child],
  pageMacro: () => [],
};

function wordsOfItem({ children, lists }: ListItem, between: readonly Inline[]): readonly Inline[] {
  return joined([children, ...lists.map((list) => wordsOf(list, between))], between);
}

function joined(parts: readonly (readonly Inline[])[], between: readonly Inline[]): readonly Inline[] {
  return parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : [...between, ...part]));
}

/** Items as the words of one line. */
export function oneLine(items: readonly Item[], element: Element, reading: Reading): readonly Inline[] {
  const words = flatten(items, BLANK, tellOf(element, reading));
  return finishWords(words.map((word) => (word.type === "break" ? text(" ") : word)));
}
