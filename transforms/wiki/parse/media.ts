import type { GuideList, Inline, Video } from "../tree.js";
import type { ReadInline } from "./read-inline.js";
import { report, type Source } from "./source.js";

/** Whether an inline is shown as a block: a paragraph ends where it stands. */
export function isMedia<Node extends Inline>(node: Node): node is Node & (Video | GuideList) {
  return node.type === "video" || node.type === "guideList";
}

/** Reports media that are to stand apart, but cannot. */
export function reportKeptMedia(source: Source, nodes: readonly ReadInline[]): void {
  for (const node of nodes) {
    if (holdsMedia(node)) report(source, "media-in-words", node.position.start, node.position.end);
  }
}

function holdsMedia(node: Inline): boolean {
  return isMedia(node) || ("children" in node && node.children.some(holdsMedia));
}
