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
  const content =
    tree.type === "page" ? onLines(plainBlocks(tree.children, context)) : plainInlines(tree.children, context);
  return stringify(sanitize({ type: "root", children: [...content] }, PLAIN_SCHEMA), {
    characterReferences: { useNamedReferences: true },
  });
}

/** A line end between blocks: nothing to a reader of the page, everything to a reader of the file. */
function onLines(blocks: readonly ElementContent[]): readonly ElementContent[] {
  return blocks.flatMap((block, index): ElementContent[] =>
    index === 0 ? [block] : [{ type: "text", value: "\n" }, block],
  );
}
