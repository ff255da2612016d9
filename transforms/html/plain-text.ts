import type { Inline } from "../wiki/tree.js";

/** What a reader sees of inlines as plain words: marks gone, labels kept, images and videos left out. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map(wordsOf).join("");
}

function wordsOf(node: Inline): string {
  if (node.type === "text" || node.type === "opaque") return node.value;
  if (node.type === "break") return " ";
  if (node.type === "link" && node.children.length === 0) return node.target;
  return "children" in node ? plainText(node.children) : "";
}
