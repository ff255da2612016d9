import { leavesOf } from "../settle/leaves-of.js";
import { paragraph } from "../wiki/build.js";
import { print } from "../wiki/print.js";
import type { Block, Embed, List, ListItem, PageMacro, Quote, TextIssue, Tree } from "../wiki/tree.js";
import { parameterOf } from "../wiki/tree-readers.js";
import type { DocumentNode } from "./document-node.js";
import { leafNodes } from "./leaf-nodes.js";
import { videoAttributes } from "./video-attributes.js";
import { node, type Vocabulary } from "./vocabulary.js";
import type { DocumentTreeOptions, Writing } from "./writing.js";

export interface ToDocumentTree {
  readonly tree: DocumentNode;
  /** What the tree could not take. */
  readonly issues: readonly TextIssue[];
}

/**
 * The document tree of a wiki text, as the service makes it: what has no node there stays the text of its macro
 * (wiki-syntax 4.2). A step line, which the service has no tree for, is a document of one paragraph.
 */
export function toDocumentTree(tree: Tree, vocabulary: Vocabulary, options: DocumentTreeOptions = {}): ToDocumentTree {
  const issues: TextIssue[] = [];
  const writing: Writing = { vocabulary, options, report: (issue) => issues.push(issue) };
  const blocks = tree.type === "page" ? tree.children : [paragraph(tree.children)];
  return { tree: node(vocabulary, "doc", documentBlocks(blocks, writing)), issues };
}

/** Never empty: documents and quotes need a block. */
function documentBlocks(blocks: readonly Block[], writing: Writing): readonly DocumentNode[] {
  const nodes = blocks.map((block) => {
    const write = HANDLERS[block.type] as (block: Block, writing: Writing) => DocumentNode;
    return write(block, writing);
  });
  return nodes.length > 0 ? nodes : [node(writing.vocabulary, "paragraph", [])];
}

type Handlers = {
  readonly [T in Block["type"]]: (block: Extract<Block, { readonly type: T }>, writing: Writing) => DocumentNode;
};

const HANDLERS: Handlers = {
  paragraph: ({ children }, writing) => node(writing.vocabulary, "paragraph", leafNodes(leavesOf(children), writing)),
  heading: ({ level, children }, writing) =>
    node(writing.vocabulary, "heading", leafNodes(leavesOf(children), writing), { level }),
  list: documentList,
  codeBlock: ({ value }, { vocabulary }) => node(vocabulary, "codeBlock", value === "" ? [] : [literal(value)]),
  quote: documentQuote,
  embed: documentEmbed,
  pageMacro: (macro, { vocabulary }) => node(vocabulary, "paragraph", [literal(sourceOf(macro))]),
};

function documentList(list: List, writing: Writing): DocumentNode {
  const items = list.children.map((item) => documentItem(item, writing));
  return node(writing.vocabulary, list.ordered ? "orderedList" : "bulletList", items);
}

function documentItem({ children, lists }: ListItem, writing: Writing): DocumentNode {
  const own = node(writing.vocabulary, "paragraph", leafNodes(leavesOf(children), writing));
  const nested = lists.map((each) => documentList(each, writing));
  return node(writing.vocabulary, "listItem", [own, ...nested]);
}

function documentQuote(quote: Quote, writing: Writing): DocumentNode {
  const said = leafNodes(leavesOf(quote.attribution), writing);
  const attribute = said.length > 0 ? node(writing.vocabulary, "paragraph", said) : null;
  for (const { name, equals, value } of quote.parameters) {
    if (name.trim().toLowerCase() === "format") continue;
    const message = `The quote's field "${name}${equals}${value}" has no place in a document tree and is left out.`;
    writing.report({ code: "quote-field", level: "loss", message, start: 0, end: 0, ...quote.position });
  }
  const format = parameterOf(quote, "format") ?? "long";
  return node(writing.vocabulary, "quote", documentBlocks(quote.children, writing), { format, attribute });
}

function documentEmbed({ child }: Embed, writing: Writing): DocumentNode {
  const written = node(writing.vocabulary, "paragraph", leafNodes(leavesOf([child]), writing));
  if (child.type !== "video" || !writing.vocabulary.describesVideos) return written;
  return { ...written, attrs: videoAttributes(child) };
}

function literal(text: string): DocumentNode {
  return { type: "text", text };
}

function sourceOf(macro: PageMacro): string {
  return print({ ...macro, before: "" });
}
