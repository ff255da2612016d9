import { parse } from "../wiki/parse.js";
import type { TextContext } from "../wiki/tree.js";
import { childrenOf, type Node } from "../wiki/tree-walk.js";

/** What people read of a wiki text, without any markup; the target of a link only where it has no label. */
export function wordsOfWiki(text: string, context: TextContext): string {
  if (!MARKUP.test(text)) return text;
  const pieces: string[] = [];
  gather(context === "line" ? parse(text, { context: "line" }).tree : parse(text, { context: "page" }).tree, pieces);
  return pieces.join("").trim();
}

/** Characters that markup begins with (wiki-syntax 2 to 4). */
const MARKUP = /[[\]'=*#^,~+`<{|_-]|https?:/;

function gather(node: Node, pieces: string[]): void {
  // A list stands inside of the item above it.
  if (BLOCKS.has(node.type)) pieces.push("\n");
  const words = WORDS[node.type];
  if (words !== undefined) pieces.push((words as (node: Node) => string)(node));
  for (const child of childrenOf(node)) gather(child, pieces);
}

type Words = { readonly [Type in Node["type"]]?: (node: Extract<Node, { readonly type: Type }>) => string };

const WORDS: Words = {
  text: ({ value }) => value,
  opaque: ({ value }) => value,
  codeBlock: ({ value }) => value,
  break: () => " ",
  link: ({ children, target }) => (children.length === 0 ? target : ""),
  image: ({ parameters }) => captionIn(parameters),
  video: ({ parameters }) => captionIn(parameters),
};

const BLOCKS: ReadonlySet<Node["type"]> = new Set(["paragraph", "heading", "listItem", "codeBlock", "quote", "embed"]);

function captionIn(parameters: readonly { readonly name: string; readonly value: string }[]): string {
  return parameters.find(({ name }) => name === "caption")?.value ?? "";
}
