import type { TextIssue } from "../../src/core/model/text-codes.js";
import type { JsonObject } from "../../src/core/util/json.js";
import { image, paragraph } from "../wiki/build.js";
import { type ImageLeaf, joinTexts, type Leaf, type LeafMark, leavesOf, type MacroLeaf } from "../wiki/leaves.js";
import { print } from "../wiki/print.js";
import { parameterOf } from "../wiki/read-tree.js";
import type { Block, Embed, List, ListItem, PageMacro, Quote, Tree, Video } from "../wiki/tree.js";
import { type DocumentMark, type DocumentNode, MARK_ORDER, node, type Vocabulary } from "./vocabulary.js";

export interface ToDocumentTree {
  readonly tree: DocumentNode;
  readonly issues: readonly TextIssue[];
}

/**
 * Builds the tree as the service does: content without a node stays the text of its macro
 * (wiki-syntax 4.2). The service has no tree of a step line; it becomes a document with one
 * paragraph.
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
  const attributionNodes = leafNodes(leavesOf(quote.attribution), writing);
  const attribute = attributionNodes.length > 0 ? node(writing.vocabulary, "paragraph", attributionNodes) : null;
  for (const { name, equals, value } of quote.parameters) {
    if (name.trim().toLowerCase() === "format") continue;
    const message = `A document tree does not have the field "${name}${equals}${value}" of a quotation. The field is left out.`;
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

function leafNodes(leaves: readonly Leaf[], writing: Writing): readonly DocumentNode[] {
  const { vocabulary } = writing;
  const tokens = joinTexts(leaves).map((leaf) => withoutMacros(leaf, vocabulary));
  return (vocabulary.joinsTexts ? joinTexts(tokens) : tokens).map((leaf) => leafNode(leaf, writing));
}

type NodeLeaf = Exclude<Leaf, MacroLeaf>;

/** A leaf without a node in the vocabulary, as the text of its macro. */
function withoutMacros(leaf: Leaf, { hasImages }: Vocabulary): NodeLeaf {
  if (leaf.type === "macro") return { type: "text", value: print(withKeyword(leaf.node)), marks: leaf.marks };
  if (leaf.type !== "image" || (hasImages && IMAGE_ID.test(leaf.id))) return leaf;
  return { type: "text", value: print(image(leaf.id, leaf.parameters)), marks: leaf.marks };
}

/** Adds a keyword to an address with fields, such as a step: others are not found in a text. */
function withKeyword(node: MacroLeaf["node"]): MacroLeaf["node"] {
  return node.type === "link" && node.kind === "url" && node.open === "[" ? { ...node, open: "[link|" } : node;
}

/** Attributes hold an image's id as a number. */
const IMAGE_ID = /^\d{1,15}$/;

function leafNode(leaf: NodeLeaf, writing: Writing): DocumentNode {
  const { nodes } = writing.vocabulary;
  const marks = marksOf(leaf.marks, writing.vocabulary);
  const shared = marks.length > 0 ? { marks } : {};
  if (leaf.type === "text") return { type: nodes.text, ...shared, text: leaf.value };
  if (leaf.type === "image") return { type: nodes.image, attrs: imageAttributes(leaf, writing), ...shared };
  return { type: nodes.break, ...shared };
}

/** All four attributes, with the defaults of the vendor's editor (wiki-syntax 4.1). */
function imageAttributes({ id, parameters }: ImageLeaf, { options }: Writing) {
  const { size = "standard", align = "left" } = parameters;
  return { imageid: Number(id), src: options.imageAddress?.(id) ?? "", size, align };
}

function marksOf(marks: readonly LeafMark[], vocabulary: Vocabulary): readonly DocumentMark[] {
  return MARK_ORDER.flatMap((kind) => marks.filter(({ type }) => type === kind)).map((mark) => ({
    type: vocabulary.marks[mark.type],
    ...(mark.type === "link" ? { attrs: vocabulary.link(mark) } : {}),
  }));
}

/** A video's paragraph (wiki-syntax 4.2); except the address, only defaults are known. */
function videoAttributes(video: Video): JsonObject {
  const url = video.target.trim();
  return {
    align: parameterOf(video, "align") ?? "center",
    caption: parameterOf(video, "caption") ?? "",
    formats: [],
    poster: "",
    rule: "Video",
    service: SERVICES.find(({ host }) => host.test(url))?.service ?? "",
    size: parameterOf(video, "size") ?? "large",
    url,
  };
}

/** `youtube` is observed, the other is by analogy. */
const SERVICES = [
  {
    service: "youtube",
    host: /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtube-nocookie\.com|youtu\.be)(?:[/?#:]|$)/i,
  },
  { service: "vimeo", host: /^https?:\/\/(?:[\w-]+\.)*vimeo\.com(?:[/?#:]|$)/i },
] as const;

interface DocumentTreeOptions {
  /** For the attribute `src`. Default, and for an unknown id: an empty string. */
  readonly imageAddress?: (id: string) => string | undefined;
}

interface Writing {
  readonly vocabulary: Vocabulary;
  readonly options: DocumentTreeOptions;
  readonly report: (issue: TextIssue) => void;
}
