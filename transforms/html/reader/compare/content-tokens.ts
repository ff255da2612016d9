import type { Element, ElementContent } from "hast";
import { wordTokens } from "./word-tokens.js";

/** What two contents are compared by: a word, or a picture, film or sound. */
export interface ContentToken {
  /** Equal keys read alike: the word, how it is set, and where it leads. */
  readonly key: string;
  /** The number of its leaf, in the order of the content: a text, or an element that holds none. */
  readonly leaf: number;
  /** Its place in the text of the leaf; 0 and 0 of an element. */
  readonly start: number;
  readonly end: number;
  /** The number of the outermost node that it is in. */
  readonly block: number;
}

/** Elements that are one thing. */
export const LEAVES: ReadonlySet<string> = new Set(["img", "video", "audio"]);

/** Elements that people see of a word that is in them; the others only hold it. */
const SEEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "h"])),
  ...Object.fromEntries(
    ["li", "ol", "dt", "th", "td", "pre", "blockquote", "figcaption", "strong", "em", "u", "s", "sup", "sub"].map(
      (name) => [name, name],
    ),
  ),
  ...{ code: "code", kbd: "code", samp: "code", mark: "mark", small: "small", ins: "ins", del: "del", q: "q" },
};

/** @param root what stands before the addresses of one side alone: the way to its time */
export function contentTokens(content: readonly ElementContent[], root: string): readonly ContentToken[] {
  const tokens: ContentToken[] = [];
  let leaf = 0;
  const walk = (nodes: readonly ElementContent[], around: string, outermost: number | undefined): void => {
    for (const [at, node] of nodes.entries()) {
      const block = outermost ?? at;
      if (node.type === "text") {
        for (const { text, start, end } of wordTokens(node.value))
          tokens.push({ key: `${around}\n${text}`, leaf, start, end, block });
        leaf += 1;
      } else if (node.type === "element" && LEAVES.has(node.tagName)) {
        tokens.push({ key: `${node.tagName}\n${placeOf(node, "src", root)}`, leaf, start: 0, end: 0, block });
        leaf += 1;
      } else if (node.type === "element") walk(node.children, around + seenOf(node, root), block);
    }
  };
  walk(content, "", undefined);
  return tokens;
}

function seenOf(element: Element, root: string): string {
  if (element.tagName === "a") return ` a ${placeOf(element, "href", root)}`;
  const seen = Object.hasOwn(SEEN, element.tagName) ? SEEN[element.tagName] : undefined;
  return seen === undefined ? "" : ` ${seen}`;
}

/** An address without what tells the two times apart. */
function placeOf({ properties }: Element, name: "src" | "href", root: string): string {
  const address = properties[name];
  if (typeof address !== "string") return "";
  return root !== "" && address.startsWith(root) ? address.slice(root.length) : address;
}
