import type { ElementContent } from "hast";
import { sanitize } from "hast-util-sanitize";
import { toHtml as stringify } from "hast-util-to-html";
import type { Tree } from "../wiki/tree.js";
import { plainBlocks } from "./plain/plain-blocks.js";
import type { PlainContext } from "./plain/plain-context.js";
import { plainInlines } from "./plain/plain-inlines.js";
import { PLAIN_SCHEMA } from "./plain/schema.js";
import { createResolver, type Resolver } from "./resolver.js";

export interface PlainHtmlOptions {
  /** Default: one that knows nothing. */
  readonly resolver?: Resolver;
  /** Scheme and host of the site, put before addresses relative to it. Default: they stay relative. */
  readonly origin?: string;
}

/**
 * A text as plain HTML for readers outside of the site: elements that say what the text means, without classes, styles,
 * scripts, frames or anything else that runs. Images are figures, videos are links to them.
 */
export function toPlainHtml(tree: Tree, options: PlainHtmlOptions = {}): string {
  const { resolver = createResolver(), origin = "" } = options;
  const context: PlainContext = { resolver, origin: origin.replace(/\/$/, ""), figures: false };
  if (tree.type === "line") return printed(plainInlines(tree.children, context));
  // A line end between blocks: nothing to a reader of the page, everything to a reader of the file.
  return tree.children.flatMap((block) => plainBlocks([block], context).map((each) => printedAlone(each))).join("\n");
}

/** Item by item, so that no tree of a long list is in memory beside the given one. */
function printedAlone(node: ElementContent): string {
  if (node.type !== "element" || !LISTS.has(node.tagName)) return printed([node]);
  return `<${node.tagName}>${node.children.map((child) => printed([child])).join("")}</${node.tagName}>`;
}

/** Written without attributes. */
const LISTS: ReadonlySet<string> = new Set(["ul", "ol"]);

function printed(children: readonly ElementContent[]): string {
  return stringify(sanitize({ type: "root", children: [...children] }, PLAIN_SCHEMA), {
    characterReferences: { useNamedReferences: true },
  });
}
