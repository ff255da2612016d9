import { type ImageLeaf, joinTexts, type Leaf, type LeafMark, type MacroLeaf } from "../settle/leaf.js";
import { image } from "../wiki/build-inlines.js";
import { print } from "../wiki/print.js";
import type { DocumentMark, DocumentNode } from "./document-node.js";
import { MARK_ORDER, type Vocabulary } from "./vocabulary.js";
import type { Writing } from "./writing.js";

/** The nodes of running text. */
export function leafNodes(leaves: readonly Leaf[], writing: Writing): readonly DocumentNode[] {
  const { vocabulary } = writing;
  const tokens = joinTexts(leaves).map((leaf) => withoutMacros(leaf, vocabulary));
  return (vocabulary.joinsTexts ? joinTexts(tokens) : tokens).map((leaf) => leafNode(leaf, writing));
}

type NodeLeaf = Exclude<Leaf, MacroLeaf>;

/** A leaf that the vocabulary has no node for, as the text of its macro. */
function withoutMacros(leaf: Leaf, { hasImages }: Vocabulary): NodeLeaf {
  if (leaf.type === "macro") return { type: "text", value: print(withKeyword(leaf.node)), marks: leaf.marks };
  if (leaf.type !== "image" || (hasImages && IMAGE_ID.test(leaf.id))) return leaf;
  return { type: "text", value: print(image(leaf.id, leaf.parameters)), marks: leaf.marks };
}

/** An address with a field of its own, such as a step: only a macro with a keyword is found again in a text. */
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
