import type { PhrasingContent, RootContent } from "mdast";
import type { Quote } from "../wiki/tree.js";

/*
 * What Markdown has no form for stands in it as the wiki text that it is: a macro in running text in an HTML element, a block in
 * a code block with a language of its own. Both show their source to a reader, and are taken over as they are on the way back.
 */

/** Around the wiki text of an inline. */
export const RAW_INLINE = { open: '<code class="wiki">', close: "</code>" } as const;

/** The language of a code block that holds wiki text. */
export const RAW_BLOCK = "wiki";

/** Shows nothing, and divides what would be read as something else without it. */
export const DIVIDER = "<!-- -->";

/** A forced break where Markdown has none of its own: at the edges of a text, and in a heading. */
export const BREAK = "<br>";

/** Begins the last paragraph of a quote when that says whose words they are. */
export const ATTRIBUTION = "— ";

/** The name, if the last block of a quote is one behind a dash. */
export function nameBehindDash(block: RootContent | undefined): readonly PhrasingContent[] | undefined {
  const [first, ...others] = block?.type === "paragraph" ? block.children : [];
  if (first?.type !== "text" || !first.value.startsWith(ATTRIBUTION)) return undefined;
  return [{ type: "text", value: first.value.slice(ATTRIBUTION.length) }, ...others];
}

/** The comment that begins a quote with fields of its own: `<!-- format=featured -->`. */
export const QUOTE_FIELDS = /^<!-- ([\w-]+=.*) -->$/;

/** That comment; undefined for a quote without fields. */
export function quoteFields({ leading, parameters }: Quote): string | undefined {
  const fields = [...leading, ...parameters].map(({ name, value }) => `${name.trim()}=${value.trim()}`);
  return fields.length > 0 ? `<!-- ${fields.join("|")} -->` : undefined;
}
