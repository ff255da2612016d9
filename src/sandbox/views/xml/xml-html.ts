import type { ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { element, words } from "./xml-element.js";

/** HTML as elements of an XML answer: the simplified set of oManual 1.0 (omanual 4); of others the content stays. */
export function xmlOfHtml(html: unknown): string {
  return typeof html === "string" ? contentOf(fromHtml(html, { fragment: true })) : "";
}

type Parent = Root | Extract<ElementContent, { readonly type: "element" }>;

function contentOf({ children }: Parent): string {
  return children.map((child) => xmlOf(child)).join("");
}

function xmlOf(node: RootContent): string {
  if (node.type === "text") return words(node.value);
  if (node.type !== "element" || DROPPED.has(node.tagName)) return "";
  const name = ALSO[node.tagName] ?? node.tagName;
  if (!SIMPLE.has(name)) return contentOf(node);
  const attributes = ATTRIBUTES.map(([attribute, property]) => [attribute, textOf(node.properties[property])] as const);
  return element(name, Object.fromEntries(attributes), contentOf(node));
}

const SIMPLE: ReadonlySet<string> = new Set([
  ...["p", "a", "strong", "em", "h1", "h2", "h3", "h4", "h5", "h6", "tt", "pre", "code", "br", "ul", "li"],
  ...["sub", "sup", "del", "ins", "div"],
]);

/** Close enough for a format that has no other. */
const ALSO: Readonly<Record<string, string>> = { b: "strong", i: "em", u: "ins", s: "del", ol: "ul" };

/** A video's frame goes, so its box is empty: so real servers have it (omanual 8). */
const DROPPED: ReadonlySet<string> = new Set(["iframe", "script", "style", "img"]);

/** By their names in the tree. */
const ATTRIBUTES = [
  ["id", "id"],
  ["class", "className"],
  ["href", "href"],
  ["style", "style"],
  ["rel", "rel"],
  ["title", "title"],
  ["target", "target"],
] as const;

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "string" ? value : null;
}
