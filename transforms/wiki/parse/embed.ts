import type { Embed } from "../tree.js";
import type { BlockPlace, ReadBlock } from "./block-rule.js";
import { trimEnd } from "./characters.js";
import { readInlines } from "./inlines.js";
import type { ReadInline } from "./read-inline.js";
import { lineFrom, report, type Source } from "./source.js";

const OPEN = /\[(?:image|video|guidelist|guide)[ \t]*\|/iy;

/** A line that is nothing but media, a list of guides, or a guide link without a label. */
export function readEmbed(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const { text, issues } = source;
  OPEN.lastIndex = at;
  if (!OPEN.test(text)) return undefined;
  const before = issues.length;
  const [child, ...rest] = readInlines(source, at, trimEnd(text, at, lineFrom(source, at, end).textEnd));
  if (child === undefined || rest.length > 0 || !isEmbeddable(child)) {
    issues.length = before;
    return undefined;
  }
  const { position } = child;
  if (child.type === "link") report(source, "guide-card", position.start, position.end);
  return { type: "embed", before: "", child, position };
}

function isEmbeddable(node: ReadInline): node is Embed["child"] & ReadInline {
  if (node.type === "link") return node.kind === "guide" && node.bar === "";
  return node.type === "image" || node.type === "video" || node.type === "guideList";
}
