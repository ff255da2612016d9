import type { Nodes } from "hast";
import { parseHtml } from "../html/from/parse-html.js";

/** What people read of HTML, a line for each of its blocks. Takes any string, whatever was done to it. */
export function wordsOfHtml(html: string): string {
  const pieces: string[] = [];
  for (const { root } of parseHtml(html).trees) gather(root, pieces);
  return pieces.join("");
}

function gather(node: Nodes, pieces: string[]): void {
  if (node.type === "text") pieces.push(node.value);
  if (node.type === "element" && UNREAD.has(node.tagName)) return;
  if ("children" in node) for (const child of node.children) gather(child, pieces);
  if (node.type === "element" && !INLINE.has(node.tagName)) pieces.push("\n");
}

const UNREAD: ReadonlySet<string> = new Set(["script", "style", "template", "head", "title"]);
const INLINE: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code del dfn em i ins kbd mark q s small span strong sub sup u var wbr".split(" "),
);
