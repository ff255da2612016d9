import type { Element, ElementContent, Nodes, Parents, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { toHtml } from "hast-util-to-html";

/**
 * The rendered HTML without what differs between sites, eras and look-ups (wiki-syntax 8.7): `rel`,
 * `<wbr>`, utm parameters, the page segment after a guide's id, the scheme of the site's own host,
 * the way attributes are quoted and the decoration of headings. Equal results mean: a reader sees
 * the same.
 */
export function normaliseRendered(html: string, ownHost: string): string {
  const root = fromHtml(html, { fragment: true });
  return toHtml({ type: "root", children: contentOf(root, ownHost) as RootContent[] });
}

const DROPPED = new Set(["wbr"]);
const DECORATION = new Set(["anchor", "selfLink", "editLink", "headerLink"]);
const HEADING = /^h[1-6]$/;

function contentOf(parent: Parents, ownHost: string): readonly ElementContent[] {
  const content = parent.children.flatMap((child) => normalised(child, ownHost));
  return joinText(content);
}

function normalised(node: Nodes, ownHost: string): readonly ElementContent[] {
  if (node.type === "text") return [{ type: "text", value: node.value }];
  if (node.type !== "element" || DROPPED.has(node.tagName) || isDecoration(node)) return [];
  const children = [...contentOf(node, ownHost)];
  if (classesOf(node).includes("headerContainer")) return children;
  return [{ type: "element", tagName: node.tagName, properties: propertiesOf(node, ownHost), children }];
}

function propertiesOf(node: Element, ownHost: string): Element["properties"] {
  if (HEADING.test(node.tagName)) return {};
  const { rel: _rel, href, ...rest } = node.properties;
  const all = typeof href === "string" ? { ...rest, href: normalisedAddress(href, ownHost) } : rest;
  return Object.fromEntries(Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const GUIDE_PAGE = /^((?:https?:\/\/[^/]+)?\/[^/]+\/[^/]+\/\d+)\/\d+(?=#|\?|$)/;

function normalisedAddress(address: string, ownHost: string): string {
  return withoutUtm(address).replace(GUIDE_PAGE, "$1").replace(`http://${ownHost}`, `https://${ownHost}`);
}

function withoutUtm(address: string): string {
  return address
    .replace(/([?&])utm_\w+=[^&#]*/g, "$1")
    .replace(/\?&+/, "?")
    .replace(/[?&]+(?=#|$)/, "");
}

function isDecoration(node: Element): boolean {
  return classesOf(node).some((name) => typeof name === "string" && DECORATION.has(name));
}

function classesOf(node: Element): readonly unknown[] {
  const { className } = node.properties;
  return Array.isArray(className) ? (className as readonly unknown[]) : [];
}

function joinText(content: readonly ElementContent[]): readonly ElementContent[] {
  const joined: ElementContent[] = [];
  for (const node of content) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text")
      joined.splice(-1, 1, { ...last, value: last.value + node.value });
    else joined.push(node);
  }
  return joined;
}
