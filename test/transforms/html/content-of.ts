import type { Element, Nodes } from "hast";
import { fromHtml as parseHtml } from "hast-util-from-html";

/**
 * What HTML says: its words with the elements around them. The order of marks over one stretch is
 * no part of it, nor whether an address in running text is a link, nor characters without width.
 */
export function saidBy(html: string): readonly string[] {
  const said: { around: string; words: string }[] = [];
  for (const { around, words } of wordsOf(parseHtml(html, { fragment: true }), [])) {
    const last = said.at(-1);
    if (last?.around === around) last.words += words;
    else said.push({ around, words });
  }
  return said.map(({ around, words }) => `${around}: ${words}`);
}

interface Words {
  readonly around: string;
  readonly words: string;
}

const MARKS = /^(?:strong|em|ins|del|sup|sub|tt)$/;
const ALONE = /^(?:br|img|video|iframe)$/;
const BLOCK = /^(?:p|li|h[1-6]|pre|blockquote|ul|ol)$/;

function wordsOf(node: Nodes, path: readonly Element[]): readonly Words[] {
  if (node.type === "text") {
    const words = node.value.replaceAll("\u200B", "");
    return words === "" ? [] : [{ around: describePath(path), words }];
  }
  if (!("children" in node)) return [];
  const inside = node.type === "element" ? [...path, node] : path;
  const name = node.type === "element" ? node.tagName : "";
  // The site cuts long addresses in running text; what it says is the whole.
  if (node.type === "element" && isAutomatic(node)) {
    return [{ around: describePath(inside), words: String(node.properties["href"]) }];
  }
  const begins =
    ALONE.test(name) || BLOCK.test(name) || isPlayer(node)
      ? [{ around: describePath(inside), words: `<${name}>` }]
      : [];
  return [...begins, ...node.children.flatMap((child) => wordsOf(child, inside))];
}

function isPlayer(node: Nodes): boolean {
  return node.type === "element" && node.properties["videoid"] !== undefined;
}

/** Kinds from the outside to the inside, then the marks, sorted. */
function describePath(path: readonly Element[]): string {
  const marks = path.filter(({ tagName }) => MARKS.test(tagName)).map(({ tagName }) => tagName);
  const others = path.filter((element) => !MARKS.test(element.tagName) && !isAutomatic(element));
  const kinds = others.map(
    ({ tagName, properties }) =>
      `${tagName} ${String(properties["href"] ?? properties["dataImageid"] ?? properties["videoid"] ?? "")}`,
  );
  return [...kinds, ...[...new Set(marks)].sort()].join(" ");
}

function isAutomatic({ tagName, properties, children: [only] }: Element): boolean {
  const label = only?.type === "text" ? only.value.replaceAll("\u200B", "") : "";
  const address = String(properties["href"]);
  return tagName === "a" && (label === address || (label.endsWith("...") && address.startsWith(label.slice(0, -3))));
}
