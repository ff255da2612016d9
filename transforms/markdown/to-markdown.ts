import type {
  BlockContent,
  Html,
  ListItem as MarkdownItem,
  List as MarkdownList,
  Paragraph,
  PhrasingContent,
} from "mdast";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import { isBlank } from "../wiki/blanks.js";
import { page, paragraph } from "../wiki/build.js";
import { print } from "../wiki/print.js";
import { childrenOf, type Node } from "../wiki/read-tree.js";
import { haveOneShape } from "../wiki/shape.js";
import type { Block, Inline, Line, Link, List, ListItem, Mark, Page, Quote, Tree } from "../wiki/tree.js";
import {
  ALTERNATIVES,
  ATTRIBUTION,
  BREAK,
  DIVIDER,
  linkAddress,
  type Media,
  mediaAddress,
  nameBehindDash,
  quoteFields,
  RAW_BLOCK,
  RAW_INLINE,
} from "./conventions.js";
import { fromMarkdown } from "./from-markdown.js";
import { MOST_LINES } from "./is-costly.js";
import { printMarkdown } from "./parse-markdown.js";

export interface ToMarkdown {
  readonly markdown: string;
  readonly issues: readonly TextIssue[];
}

/**
 * Prints Markdown (CommonMark with GFM) that `fromMarkdown` reads as the same text. Content without
 * a form in Markdown uses conventions.ts. A block that still reads back differently becomes a code
 * block with the language `wiki`, and is reported.
 */
export function toMarkdown(tree: Tree): ToMarkdown {
  return tree.type === "page" ? pageToMarkdown(tree) : lineToMarkdown(tree);
}

/** Prints group by group, so that memory never holds a second tree of the text. */
function pageToMarkdown({ children }: Page): ToMarkdown {
  const groups = groupsOf(children).map(groupToMarkdown);
  const parts = groups.filter(({ markdown }) => markdown !== "");
  const isSeparate = parts.every(({ markdown }, at) => !goesOn(parts[at - 1]?.markdown ?? "", markdown));
  if (!isSeparate) return groupToMarkdown(children);
  return {
    markdown: parts.map(({ markdown }) => markdown).join("\n"),
    issues: groups.flatMap(({ issues }) => issues),
  };
}

/** Characters of wiki text after which a group may end. */
const GROUP_LENGTH = 4_000;

/** The limit for blocks that have no source text. */
const GROUP_BLOCKS = 100;

/** The printer alternates two markers for adjacent lists of one kind, so a group ends after two. */
function groupsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const groups: Block[][] = [];
  let group: Block[] = [];
  let length = 0;
  let lists = 0;
  for (const [at, block] of blocks.entries()) {
    const next = blocks[at + 1];
    group.push(block);
    const { start = 0, end = GROUP_LENGTH / GROUP_BLOCKS } = block.position ?? {};
    length += end - start;
    lists = block.type === "list" ? lists + 1 : 0;
    const isPaired =
      block.type !== "list" || next?.type !== "list" || next.ordered !== block.ordered || lists % 2 === 0;
    if (block.type === "list" && (next?.type !== "list" || next.ordered !== block.ordered)) lists = 0;
    if (length < GROUP_LENGTH || !isPaired) continue;
    groups.push(group);
    group = [];
    length = 0;
    lists = 0;
  }
  return [...groups, group];
}

const MARKER = /^(?:[-*+]|\d+(?=[.)]))([.)]?)[ \t]/;

function goesOn(before: string, markdown: string): boolean {
  const last = before.split("\n").findLast((line) => /^\S/.test(line)) ?? "";
  const [one, other] = [MARKER.exec(last), MARKER.exec(markdown)];
  return one !== null && other !== null && (one[1] || one[0]) === (other[1] || other[0]);
}

function groupToMarkdown(children: readonly Block[]): ToMarkdown {
  const large = children.findIndex((block) => linesIn(block) > MOST_LINES);
  if (large >= 0) return besideLarge(children, large);
  const plain = printMarkdown(children.flatMap(writeBlock));
  if (readsAs(plain, children)) return { markdown: plain, issues: [] };
  const raw = new Set(children.filter((block) => !readsAs(printMarkdown(writeBlock(block)), [block])));
  const mixed = printMarkdown(children.flatMap((block) => (raw.has(block) ? writeRaw(block) : writeBlock(block))));
  if (readsAs(mixed, children)) return { markdown: mixed, issues: [...raw].map((block) => issue("note", block)) };
  const tree = page(children);
  const whole = printMarkdown([{ type: "code", lang: RAW_BLOCK, value: print(tree) }]);
  return { markdown: whole, issues: [issue(readsAs(whole, children) ? "note" : "loss", tree, children)] };
}

/** A block that is too large to read back becomes wiki text. */
function besideLarge(children: readonly Block[], at: number): ToMarkdown {
  const block = children.slice(at, at + 1);
  const large = { markdown: printMarkdown(block.flatMap(writeRaw)), issues: block.map((one) => issue("large", one)) };
  const [before, after] = [groupToMarkdown(children.slice(0, at)), groupToMarkdown(children.slice(at + 1))];
  const all = [before, large, after].filter(({ markdown }) => markdown !== "");
  return {
    markdown: all.map(({ markdown }) => markdown).join("\n"),
    issues: all.flatMap(({ issues }) => issues),
  };
}

/** The minimum number of lines of lists and quotes in Markdown. */
function linesIn(node: Node): number {
  return childrenOf(node).reduce(
    (sum, child) => sum + linesIn(child),
    node.type === "listItem" || node.type === "paragraph" ? 1 : 0,
  );
}

function lineToMarkdown(tree: Line): ToMarkdown {
  const plain = printLine(writeInlines(tree.children));
  if (lineReadsAs(plain, tree)) return { markdown: plain, issues: [] };
  const whole = printLine(rawInline(print(tree)));
  return { markdown: whole, issues: [issue(lineReadsAs(whole, tree) ? "note" : "loss", tree)] };
}

function printLine(children: PhrasingContent[]): string {
  return printMarkdown([{ type: "paragraph", children }]).trimEnd();
}

function readsAs(markdown: string, blocks: readonly Block[]): boolean {
  return haveOneShape(fromMarkdown(markdown, { context: "page" }).tree.children, blocks);
}

function lineReadsAs(markdown: string, { children }: Line): boolean {
  const read = fromMarkdown(markdown, { context: "line" }).tree.children;
  return haveOneShape([paragraph(read)], [paragraph(children)]);
}

const MESSAGES = {
  note: "Markdown cannot express this part. It stays wiki text.",
  large: `It has more than ${MOST_LINES} lines, which is more than guideferry reads from Markdown. It stays wiki text.`,
  loss: "Markdown changes characters of this part, even as wiki text. It does not read back the same.",
} as const;

function issue(what: keyof typeof MESSAGES, { position }: Block | Tree, blocks: readonly Block[] = []): TextIssue {
  const around = { start: blocks[0]?.position?.start ?? 0, end: blocks.at(-1)?.position?.end ?? 0 };
  const level = what === "note" ? "note" : "loss";
  return { code: "kept-as-wiki", level, message: MESSAGES[what], ...around, ...position };
}

function writeBlock(block: Block): BlockContent[] {
  const write = BLOCK_HANDLERS[block.type] as (block: Block) => BlockContent[];
  return write(block);
}

function writeRaw(block: Block): BlockContent[] {
  return [{ type: "code", lang: RAW_BLOCK, value: print({ ...block, before: "" }) }];
}

type BlockHandler<Type extends Block["type"]> = (block: Extract<Block, { readonly type: Type }>) => BlockContent[];

const BLOCK_HANDLERS: { readonly [Type in Block["type"]]: BlockHandler<Type> } = {
  paragraph: ({ children }) => paragraphs(writeInlines(children)),
  heading: ({ level, children }) => [{ type: "heading", depth: level, children: writeLine(children) }],
  list: (list) => [writeList(list)],
  codeBlock: ({ value }) => [{ type: "code", value }],
  quote: writeQuote,
  embed: ({ child }) => paragraphs(writeInlines([child])),
  pageMacro: writeRaw,
};

function paragraphs(children: Paragraph["children"]): Paragraph[] {
  return children.length > 0 ? [{ type: "paragraph", children }] : [];
}

/** No empty lines between items, as in wiki text. */
function writeList({ ordered, children }: List): MarkdownList {
  return { type: "list", ordered, spread: false, children: children.map(writeItem) };
}

function writeItem({ children, lists }: ListItem): MarkdownItem {
  return {
    type: "listItem",
    spread: false,
    children: [...paragraphs(writeInlines(children)), ...lists.map(writeList)],
  };
}

/** A comment before it has its fields, the last line its author. */
function writeQuote(quote: Quote): BlockContent[] {
  const fields = quoteFields(quote);
  const attribution = writeInlines(quote.attribution);
  const attributionBlocks = paragraphs(
    attribution.length > 0 ? [{ type: "text", value: ATTRIBUTION }, ...attribution] : [],
  );
  const words = quote.children.flatMap(writeBlock);
  const children = [...(fields === undefined ? [] : [html(fields)]), ...words, ...attributionBlocks];
  const looksAttributed = attributionBlocks.length === 0 && nameBehindDash(words.at(-1)) !== undefined;
  return [{ type: "blockquote", children: looksAttributed ? [...children, html(DIVIDER)] : children }];
}

function html(value: string): Html {
  return { type: "html", value };
}

function writeInlines(inlines: readonly Inline[]): PhrasingContent[] {
  const nodes = inlines.flatMap((inline) => {
    const write = INLINE_HANDLERS[inline.type] as (inline: Inline) => PhrasingContent[];
    return write(inline);
  });
  // Markdown has forced breaks between texts only.
  return nodes.map((node, at) => {
    const between = nodes[at - 1]?.type === "text" && nodes[at + 1]?.type === "text";
    return node.type === "break" && !between ? html(BREAK) : node;
  });
}

function writeLine(inlines: readonly Inline[]): PhrasingContent[] {
  return writeInlines(inlines).map(withoutBreaks);
}

function withoutBreaks(node: PhrasingContent): PhrasingContent {
  if (node.type === "break") return html(BREAK);
  return "children" in node ? ({ ...node, children: node.children.map(withoutBreaks) } as PhrasingContent) : node;
}

type InlineHandler<Type extends Inline["type"]> = (
  inline: Extract<Inline, { readonly type: Type }>,
) => PhrasingContent[];

const INLINE_HANDLERS: { readonly [Type in Inline["type"]]: InlineHandler<Type> } = {
  text: ({ value }) => [{ type: "text", value }],
  opaque: ({ value }) => [{ type: "text", value }],
  break: () => [{ type: "break" }],
  strong: ({ children }) => under(children, (inner) => [{ type: "strong", children: inner }]),
  emphasis: ({ children }) => under(children, (inner) => [{ type: "emphasis", children: inner }]),
  strike: ({ children }) => under(children, (inner) => [{ type: "delete", children: inner }]),
  underline: tagged("u"),
  superscript: tagged("sup"),
  subscript: tagged("sub"),
  code: writeCode,
  link: writeLink,
  image: writeMedia,
  video: writeMedia,
  guideList: writeMedia,
};

/** A mark around nothing shows nothing, and Markdown has no form for it. */
function under(children: readonly Inline[], wrap: (inner: PhrasingContent[]) => PhrasingContent[]): PhrasingContent[] {
  const inner = writeInlines(children);
  return inner.length > 0 ? wrap(inner) : [];
}

function tagged(name: string): (inline: Mark) => PhrasingContent[] {
  return ({ children }) => under(children, (inner) => [html(`<${name}>`), ...inner, html(`</${name}>`)]);
}

/** Markdown's own code holds text on one line; the wiki's can hold more. */
function writeCode(mark: Mark): PhrasingContent[] {
  const value = mark.children.map((child) => (child.type === "text" ? child.value : "\n")).join("");
  if (isBlank(value) || value.includes("\n")) return tagged("code")(mark);
  return [{ type: "inlineCode", value }];
}

function writeLink(link: Link): PhrasingContent[] {
  const address = linkAddress(link);
  if (address === undefined) return rawInline(print(link));
  const shown = link.kind === "mailto" ? link.target : address.url;
  const label = writeInlines(link.children);
  const children: PhrasingContent[] = label.length > 0 ? label : [{ type: "text", value: shown }];
  const [only] = children;
  const looksBare = children.length === 1 && only?.type === "text" && only.value === shown;
  const isBare = link.kind === "bare" || (label.length === 0 && link.kind !== "url");
  return [{ type: "link", ...address, children: looksBare && !isBare ? [...children, html(DIVIDER)] : children }];
}

function writeMedia(media: Media): PhrasingContent[] {
  const address = mediaAddress(media);
  return address === undefined
    ? rawInline(print(media))
    : [{ type: "image", ...address, alt: ALTERNATIVES[media.type] }];
}

function rawInline(source: string): PhrasingContent[] {
  return [html(RAW_INLINE.open), { type: "text", value: source }, html(RAW_INLINE.close)];
}
