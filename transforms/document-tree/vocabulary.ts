import type { JsonObject } from "../../src/core/util/json.js";
import type { LeafMark, LinkMark } from "../wiki/leaves.js";

/**
 * A node of the service (wiki-syntax 4): `contents_json` of wikis, `introduction_json` of guides.
 * The site makes these trees from wiki text; no known endpoint accepts one.
 */
export interface DocumentNode {
  readonly type: string;
  /** An empty array where the service means no attributes. */
  readonly attrs?: JsonObject | readonly [];
  readonly content?: readonly DocumentNode[];
  readonly marks?: readonly DocumentMark[];
  readonly text?: string;
}

export interface DocumentMark {
  readonly type: string;
  readonly attrs?: JsonObject;
}

/** The nodes that the wiki syntax shares with document trees. */
export type NodeKind =
  | "doc"
  | "paragraph"
  | "heading"
  | "bulletList"
  | "orderedList"
  | "listItem"
  | "codeBlock"
  | "quote"
  | "break"
  | "image"
  | "text";

type MarkKind = LeafMark["type"];

/** Differences between the two vocabularies of the service. */
export interface Vocabulary {
  readonly nodes: Readonly<Record<NodeKind, string>>;
  readonly marks: Readonly<Record<MarkKind, string>>;
  /** Attributes that a node of this kind always has. */
  readonly attributes: Readonly<Partial<Record<NodeKind, JsonObject | readonly []>>>;
  readonly link: (mark: LinkMark) => JsonObject;
  /** Whether neighbouring texts under the same marks are one node, or one for each token. */
  readonly joinsTexts: boolean;
  /** Whether images are nodes; otherwise they stay the text of their macro. */
  readonly hasImages: boolean;
  /** Whether the attributes of a video's paragraph describe the video. */
  readonly describesVideos: boolean;
}

/** `contents_json`: the names of the vendor's editor (wiki-syntax 4.1, certainty "code"). */
export const CONTENTS: Vocabulary = {
  nodes: {
    doc: "doc",
    paragraph: "paragraph",
    heading: "heading",
    bulletList: "bullet_list",
    orderedList: "ordered_list",
    listItem: "list_item",
    codeBlock: "code_block",
    quote: "blockquote",
    break: "hard_break",
    image: "image",
    text: "text",
  },
  marks: {
    emphasis: "em",
    strong: "strong",
    underline: "underline",
    subscript: "subscript",
    superscript: "superscript",
    code: "code",
    strike: "strikethrough",
    link: "link",
  },
  attributes: { orderedList: { order: 1 } },
  link: ({ href, newWindow }) => ({ href, title: null, target: targetOf(newWindow) }),
  joinsTexts: true,
  hasImages: true,
  describesVideos: false,
};

/**
 * `introduction_json`: doc, paragraph, bulletList, listItem, text, bold, link are observed (4.2),
 * others by analogy.
 */
export const INTRODUCTION: Vocabulary = {
  nodes: {
    doc: "doc",
    paragraph: "paragraph",
    heading: "heading",
    bulletList: "bulletList",
    orderedList: "orderedList",
    listItem: "listItem",
    codeBlock: "codeBlock",
    quote: "blockquote",
    break: "hardBreak",
    image: "image",
    text: "text",
  },
  marks: {
    emphasis: "italic",
    strong: "bold",
    underline: "underline",
    subscript: "subscript",
    superscript: "superscript",
    code: "code",
    strike: "strike",
    link: "link",
  },
  attributes: { bulletList: [], orderedList: [] },
  link: ({ href, newWindow }) => ({ href, target: targetOf(newWindow) }),
  joinsTexts: false,
  hasImages: false,
  describesVideos: true,
};

/** Outermost first where nothing else decides: the order of the vendor's editor (wiki-syntax 5). */
export const MARK_ORDER = Object.keys(CONTENTS.marks) as readonly MarkKind[];

function targetOf(newWindow: boolean): string | null {
  return newWindow ? "_blank" : null;
}

/** Omits fields without a value. */
export function node(
  vocabulary: Vocabulary,
  kind: NodeKind,
  content: readonly DocumentNode[],
  attributes: JsonObject = {},
): DocumentNode {
  const always = vocabulary.attributes[kind];
  const attrs = Array.isArray(always) ? always : { ...always, ...attributes };
  return {
    type: vocabulary.nodes[kind],
    ...(Array.isArray(always) || Object.keys(attrs).length > 0 ? { attrs } : {}),
    ...(content.length > 0 ? { content } : {}),
  };
}

/** Kinds by names of both vocabularies and of related editors; for reading only. */
export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map([
  ...kindsByName<NodeKind>(CONTENTS.nodes),
  ...kindsByName<NodeKind>(INTRODUCTION.nodes),
  ["br", "break"],
  ["quote", "quote"],
]);

export const MARK_KINDS: ReadonlyMap<string, MarkKind> = new Map([
  ...kindsByName<MarkKind>(CONTENTS.marks),
  ...kindsByName<MarkKind>(INTRODUCTION.marks),
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["strikeThrough", "strike"],
]);

/** Nodes of running text; all others are blocks. */
export const INLINE_KINDS: ReadonlySet<NodeKind | undefined> = new Set<NodeKind>(["text", "break", "image"]);

function kindsByName<Kind extends string>(names: Readonly<Record<Kind, string>>): readonly (readonly [string, Kind])[] {
  return Object.entries(names).map(([kind, name]) => [name as string, kind as Kind] as const);
}
