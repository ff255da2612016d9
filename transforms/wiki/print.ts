import { PARTS, type Part, type Place, type Printable, TOP } from "./print-parts.js";

/**
 * Writes a tree, or a node of one, as wiki text: `print(parse(text, …).tree) === text` for every text. It joins what the nodes
 * say and escapes nothing, since the syntax has no escape; for text from elsewhere see `neutralise`.
 */
export function print(node: Printable): string {
  let written = "";
  // A stack instead of recursion: a tree from elsewhere may be deeper than the engine's own stack.
  const rest: Part[] = [{ node, place: TOP }];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part === "string") written += part;
    else pushParts(rest, part);
  }
  return written;
}

/** One by one: a spread of the children of a long page would overflow the stack of arguments. */
function pushParts(rest: Part[], { node, place }: Exclude<Part, string>): void {
  const parts = (PARTS[node.type] as (node: Printable, place: Place) => readonly Part[])(node, place);
  for (const part of parts.toReversed()) rest.push(part);
}
