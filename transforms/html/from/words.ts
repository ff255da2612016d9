import type { Element } from "hast";
import { blanksAtStart, isBlank } from "../../wiki/blanks.js";
import { embed, lineBreak, link, list, MARKERS, mark, paragraph, text } from "../../wiki/build.js";
import type { Tell } from "../../wiki/draft.js";
import { isMedium } from "../../wiki/leaves.js";
import { GUARD } from "../../wiki/neutralise.js";
import { bareAddressesIn } from "../../wiki/parse/inlines.js";
import type { Block, Inline, Link, List, ListItem, MarkType, Text } from "../../wiki/tree.js";
import { type Cell, type Conversion, type Handler, type Item, isInline, property } from "./conversion.js";

/** Makes paragraphs of words between blocks and of cells, and a list of items outside of one. */
export function gather(items: readonly Item[]): readonly Block[] {
  const gathered: Gathered = { blocks: [], words: [], listItems: [] };
  for (const item of items) {
    if (isInline(item)) {
      gathered.words.push(item);
      continue;
    }
    endWords(gathered);
    if (item.type === "listItem") gathered.listItems.push(item);
    else {
      endList(gathered);
      for (const block of blockOf(item)) gathered.blocks.push(block);
    }
  }
  endWords(gathered);
  endList(gathered);
  return gathered.blocks;
}

interface Gathered {
  readonly blocks: Block[];
  /** Adjacent words and items that are not a block yet. */
  words: Inline[];
  listItems: ListItem[];
}

/** Drops invisible words, so that the items of a list around them stay together. */
function endWords(gathered: Gathered): void {
  const { words, blocks } = gathered;
  if (words.length === 0) return;
  gathered.words = [];
  if (!words.some(showsSomething)) return;
  endList(gathered);
  for (const block of paragraphOf(words)) blocks.push(block);
}

function endList(gathered: Gathered): void {
  const { listItems, blocks } = gathered;
  if (listItems.length === 0) return;
  gathered.listItems = [];
  blocks.push(list(false, listItems));
}

type Other = Exclude<Item, Inline | ListItem>;

function blockOf(item: Other): readonly Block[] {
  if (item.type === "cell" || item.type === "attribution") return paragraphOf(item.children);
  if (item.type === "row") return paragraphOf(wordsOfRow(item.cells));
  return item.type === "paragraph" && item.children.length === 0 ? [] : [item];
}

const BETWEEN_CELLS = " | ";

export function wordsOfRow(cells: readonly Cell[]): readonly Inline[] {
  return cells.flatMap(({ children }, index) => (index === 0 ? children : [text(BETWEEN_CELLS), ...children]));
}

function paragraphOf(words: readonly Inline[]): readonly Block[] {
  const shown = finishWords(words);
  const [only] = shown;
  if (only === undefined) return [];
  return [shown.length === 1 && isMedium(only) ? embed(only) : paragraph(shown)];
}

/**
 * HTML shows a line end as a space, and no spaces or breaks at the ends of a block. Spaces at the
 * end stay unless a line ends there, since the site keeps them (wiki-syntax 2.1).
 */
export function finishWords(content: readonly Inline[]): readonly Inline[] {
  const words = joinTexts(content);
  const first = words.findIndex(showsSomething);
  const last = words.findLastIndex(showsSomething);
  if (first < 0) return [];
  const end = words.slice(last + 1).every((word) => word.type === "text" && !word.value.includes("\n"));
  const shown = end ? words.slice(first) : words.slice(first, last + 1);
  return shown.map((word, index) =>
    finishWord(word, index === 0 ? LINE_BREAK : shown[index - 1], shown[index + 1] ?? LINE_BREAK),
  );
}

export function showsSomething(word: Inline): boolean {
  return word.type === "text" ? !isBlank(word.value) : word.type !== "break";
}

/** The ends of a block are like breaks. */
const LINE_BREAK = lineBreak();

function finishWord(word: Inline, before: Inline | undefined, next: Inline | undefined): Inline {
  if (word.type === "text") return finishText(word, before?.type === "break", next?.type === "break");
  if (word.type === "link" && word.kind === "bare") return finishBare(word, next);
  if (!("children" in word)) return word;
  const children = joinTexts(word.children);
  return {
    ...word,
    children: children.map((child, index) => finishWord(child, children[index - 1], children[index + 1])),
  };
}

function joinTexts(words: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (word.type === "text" && last?.type === "text") joined[joined.length - 1] = text(last.value + word.value);
    else joined.push(word);
  }
  return joined;
}

// Starts only at the beginning of a run, so that long runs of blanks do not take quadratic time.
const LINE_END = /(?<![ \t\n])[ \t]*\n[ \t\n]*/g;
const BREAK_AT_END = /(?<![ \t\n])[ \t]*\n[ \t\n]*$/;

function finishText({ value }: Text, isAtStart: boolean, isAtEnd: boolean): Text {
  const from = isAtStart ? blanksAtStart(value) : 0;
  const shown = isAtEnd ? value.slice(from).replace(BREAK_AT_END, "") : value.slice(from);
  return text(shown.replace(LINE_END, " "));
}

/** Brackets keep an address from including the following words. */
function finishBare(word: Link, next: Inline | undefined): Link {
  const behind = next?.type === "text" ? next.value : "";
  if ((bareAddressesIn(word.target + behind)[0]?.end ?? 0) <= word.target.length) return word;
  return link("url", word.target, { label: [text(word.target)] });
}

/**
 * Items as words, for places without blocks: items of lists, cells, headings, labels, step lines.
 * Puts `between` between blocks, and reports the loss of blocks.
 */
export function flatten(items: readonly Item[], between: readonly Inline[], tell: Tell): readonly Inline[] {
  if (items.every(isInline)) return items;
  const blocks = gather(items);
  if (blocks.filter(({ type }) => type !== "embed").length > 1)
    tell("blocks-joined", "loss", "Blocks that were on separate lines are on one line.");
  return blocks.flatMap((block, index) => {
    if (!PLAIN.has(block.type)) {
      tell("block-flattened", "loss", `A ${block.type} is not allowed at this place. Its words are kept.`);
    }
    const words = wordsOf(block, between);
    const joins = index === 0 || block.type === "embed" || blocks[index - 1]?.type === "embed";
    return joins ? words : [...between, ...words];
  });
}

export function tellOf(element: Element, { report }: Conversion): Tell {
  return (code, level, message) => report(code, level, message, element);
}

/** Between blocks on one line. */
export const BREAK: readonly Inline[] = [LINE_BREAK];

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

export function oneLine(items: readonly Item[], element: Element, conversion: Conversion): readonly Inline[] {
  const words = flatten(items, BLANK, tellOf(element, conversion));
  return finishWords(words.map((word) => (word.type === "break" ? text(" ") : word)));
}

/** Elements of marks: those of guideferry, of sites, and older names (wiki-syntax 8.4). */
const MARK_ELEMENTS: Readonly<Record<MarkType, readonly string[]>> = {
  strong: ["strong", "b"],
  emphasis: ["em", "i", "cite", "dfn", "var"],
  underline: ["ins", "u"],
  strike: ["del", "s", "strike"],
  superscript: ["sup"],
  subscript: ["sub"],
  code: ["code", "tt", "kbd", "samp"],
};

const MARK_TYPES = Object.keys(MARK_ELEMENTS) as readonly MarkType[];

/** Elements that format words, by name or by style. */
export const MARK_HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(MARK_TYPES.flatMap((type) => MARK_ELEMENTS[type].map((name) => [name, markHandler(type)]))),
  span: markHandler(),
  font: markHandler(),
};

/** A style can add marks to the element's own, and remove it. */
function markHandler(own?: MarkType): Handler {
  return (element, content, conversion) => {
    const style = styleMarks(property(element, "style"));
    const types = MARK_TYPES.filter((type) => style.get(type) ?? type === own);
    // Underlining of a link is not a mark.
    const written = types.filter((type) => type === own || type !== "underline" || !conversion.inLink);
    return written.reduceRight((words, type) => markWith(type, element, words, conversion), content);
  };
}

const NEUTRALISED = "A space without width separates an apostrophe from the marker next to it.";

function markWith(type: MarkType, element: Element, content: readonly Item[], { report }: Conversion): readonly Item[] {
  const isOfApostrophes = MARKERS[type].startsWith("'");
  const words = isOfApostrophes && content.every(isInline) ? guardEdges(content) : content;
  if (words.length > content.length) report("markup-neutralised", "note", NEUTRALISED, element);
  return markItems(type, words);
}

/** Marks the words of blocks, since a mark cannot contain a block; skips spaces and pictures. */
function markItems(type: MarkType, items: readonly Item[]): readonly Item[] {
  return runs(items).flatMap((run): readonly Item[] =>
    run.every(isWord) ? markWords(type, run) : run.map((item) => markItem(type, item)),
  );
}

export function markInlines(type: MarkType, words: readonly Inline[]): readonly Inline[] {
  return markItems(type, words).filter(isInline);
}

/** Groups adjacent words; other items stay single. */
function runs(items: readonly Item[]): readonly (readonly Item[])[] {
  const found: Item[][] = [];
  for (const item of items) {
    const last = found.at(-1);
    const [first] = last ?? [];
    if (last !== undefined && first !== undefined && isWord(first) && isWord(item)) last.push(item);
    else found.push([item]);
  }
  return found;
}

function isWord(item: Item): item is Inline {
  return isInline(item) && !isMedium(item);
}

function markWords(type: MarkType, words: readonly Inline[]): readonly Inline[] {
  return words.some(showsSomething) ? [mark(type, withoutMark(type, words))] : words;
}

/** A mark in a mark of its kind shows nothing, and cannot be written. */
function withoutMark(type: MarkType, words: readonly Inline[]): readonly Inline[] {
  return words.flatMap((word): readonly Inline[] => {
    if (!("children" in word)) return [word];
    const children = withoutMark(type, word.children);
    return word.type === type ? children : [{ ...word, children }];
  });
}

function markItem(type: MarkType, item: Item): Item {
  const change = CHANGES[item.type] as ((item: Item, type: MarkType) => Item) | undefined;
  return change === undefined ? item : change(item, type);
}

type Changes = {
  readonly [T in Item["type"]]?: (item: Extract<Item, { readonly type: T }>, type: MarkType) => Item;
};

const CHANGES: Changes = {
  paragraph: (block, type) => ({ ...block, children: markInlines(type, block.children) }),
  heading: (block, type) => ({ ...block, children: markInlines(type, block.children) }),
  listItem: markListItem,
  list: markList,
  quote: (quote, type) => ({ ...quote, children: quote.children.map((block) => markItem(type, block) as Block) }),
};

function markList(list: List, type: MarkType): List {
  return { ...list, children: list.children.map((item) => markListItem(item, type)) };
}

function markListItem(item: ListItem, type: MarkType): ListItem {
  const lists = item.lists.map((list) => markList(list, type));
  return { ...item, children: markInlines(type, item.children), lists };
}

/**
 * true: marked, false: not marked. Many editors write only styles: `<span style="font-weight:700">`
 * is bold, and `<b style="font-weight:normal">` is not.
 */
export function styleMarks(style: string): ReadonlyMap<MarkType, boolean> {
  const marks = new Map<MarkType, boolean>();
  if (style === "") return marks;
  for (const declaration of style.toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    const rules = STYLE_RULES.get(declaration.slice(0, Math.max(colon, 0)).trim()) ?? [];
    const value = declaration.slice(colon + 1).trim();
    for (const { pattern, types, says } of rules) {
      if (pattern.test(value)) for (const type of types) marks.set(type, says);
    }
  }
  return marks;
}

interface Rule {
  readonly pattern: RegExp;
  readonly types: readonly MarkType[];
  /** Whether words have these marks. */
  readonly says: boolean;
}

const LINES: readonly Rule[] = [
  { pattern: /\bunderline\b/, types: ["underline"], says: true },
  { pattern: /\bline-through\b/, types: ["strike"], says: true },
  { pattern: /^none\b/, types: ["underline", "strike"], says: false },
];

/** By property. Weights from 600 are bold (CSS Fonts 4, 2.2). */
const STYLE_RULES: ReadonlyMap<string, readonly Rule[]> = new Map([
  [
    "font-weight",
    [
      { pattern: /^(?:bold|[6-9]\d\d\b)/, types: ["strong"], says: true },
      { pattern: /^(?:normal|lighter|[1-5]\d\d\b)/, types: ["strong"], says: false },
    ],
  ],
  [
    "font-style",
    [
      { pattern: /^(?:italic|oblique)/, types: ["emphasis"], says: true },
      { pattern: /^normal/, types: ["emphasis"], says: false },
    ],
  ],
  ["text-decoration", LINES],
  ["text-decoration-line", LINES],
  [
    "vertical-align",
    [
      { pattern: /^super\b/, types: ["superscript"], says: true },
      { pattern: /^sub\b/, types: ["subscript"], says: true },
      { pattern: /^baseline\b/, types: ["superscript", "subscript"], says: false },
    ],
  ],
]);

/** Separates an apostrophe at an end of bold or italic words from the marker. */
function guardEdges(words: readonly Inline[]): readonly Inline[] {
  const [first] = words;
  const last = words.at(-1);
  return [
    ...(first?.type === "text" && first.value.startsWith("'") ? [text(GUARD)] : []),
    ...words,
    ...(last?.type === "text" && last.value.endsWith("'") ? [text(GUARD)] : []),
  ];
}
