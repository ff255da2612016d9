import { parse } from "../wiki/parse.js";

/**
 * Whether a text has to be kept apart from the page around it: its headings would be taken for those of steps, a list at its
 * beginning for more of the facts before it.
 */
export function standsApart(wiki: string): boolean {
  const { tree } = parse(wiki, { context: "page" });
  return (
    tree.type === "page" && (tree.children[0]?.type === "list" || tree.children.some(({ type }) => type === "heading"))
  );
}
