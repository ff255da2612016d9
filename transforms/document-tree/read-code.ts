import type { Leaf } from "../settle/leaf.js";
import { codeBlock } from "../wiki/build.js";
import { image } from "../wiki/build-inlines.js";
import { print } from "../wiki/print.js";
import type { CodeBlock } from "../wiki/tree.js";
import { readLeaves } from "./read-leaves.js";
import type { ReadNode } from "./read-node.js";
import { report, type Spot } from "./reading.js";

/** A code block, which holds text only. */
export function readCode({ content }: ReadNode, spot: Spot): CodeBlock {
  const leaves = readLeaves(content, spot);
  if (leaves.some((leaf) => leaf.marks.length > 0 || leaf.type === "image")) {
    report(
      spot,
      "markup-in-code",
      "loss",
      "A code block holds plain text only; the text of what else is in it is kept.",
    );
  }
  return codeBlock(leaves.map(textOf).join(""));
}

function textOf(leaf: Leaf): string {
  if (leaf.type === "text") return leaf.value;
  return leaf.type === "image" ? print(image(leaf.id, leaf.parameters)) : "\n";
}
