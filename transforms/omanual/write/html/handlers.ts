import type { Element } from "hast";
import { attributesOf, mayBeFollowed, textOf } from "./attributes.js";
import type { Reduction } from "./reductions.js";
import { type Simple, type SimpleElement, simple, wordsOf } from "./simple.js";

type Handler = (element: Element, children: readonly Simple[], reduce: (code: Reduction) => void) => readonly Simple[];

/** Elements that the format has not, and links. `tag` handlers lose nothing: the reader gives the same wiki text for both. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  ...each(["b"], tag("strong")),
  ...each(["i", "cite", "dfn", "var"], tag("em")),
  ...each(["u"], tag("ins")),
  ...each(["s", "strike"], tag("del")),
  ...each(["kbd", "samp"], tag("code")),
  ...each(["section", "article", "aside", "header", "main", "nav", "address", "details", "center"], tag("div")),
  ...each(["footer", "figcaption"], tag("p")),
  ...each(
    ["span", "font", "abbr", "small", "big", "mark", "wbr", "source", "col", "colgroup"],
    (_, children) => children,
  ),
  ...each(["tbody", "thead", "tfoot"], (_, children) => children),
  figure: tag("div"),
  a: readLink,
  ol: readNumbered,
  ...each(["menu", "dir"], tag("ul")),
  blockquote: reduced("quote", (_, children) => [simple("div", children)]),
  table: reduced("table", readTable),
  tr: readRow,
  ...each(["td", "th"], (_, children) => [simple("div", children, CELL)]),
  caption: tag("p"),
  dl: reduced("term-list", (_, children) => [simple("ul", children.filter(isElement))]),
  dt: (_, children) => [simple("li", [simple("strong", children)])],
  dd: tag("li"),
  summary: (_, children) => [simple("p", [simple("strong", children)])],
  img: reduced("text-image", (element) =>
    linkTo(textOf(element.properties["src"]), textOf(element.properties["alt"]) || "image"),
  ),
  ...each(["iframe", "video", "lite-youtube"], reduced("text-video", readFrame)),
  hr: reduced("rule", () => []),
};

function each(names: readonly string[], handler: Handler): Readonly<Record<string, Handler>> {
  return Object.fromEntries(names.map((name) => [name, handler]));
}

function tag(name: string): Handler {
  return (element, children) => [simple(name, children, attributesOf(element))];
}

function reduced(code: Reduction, handler: Handler): Handler {
  return (element, children, reduce) => {
    reduce(code);
    return handler(element, children, reduce);
  };
}

function isElement(piece: Simple): piece is SimpleElement {
  return typeof piece !== "string";
}

/** A link without an address is a place on the page. */
function readLink(element: Element, children: readonly Simple[], reduce: (code: Reduction) => void): readonly Simple[] {
  const attributes = attributesOf(element);
  const { href } = attributes;
  if (href === undefined || mayBeFollowed(href)) return [simple("a", children, attributes)];
  reduce("unsafe-link");
  return children;
}

function readNumbered(
  element: Element,
  children: readonly Simple[],
  reduce: (code: Reduction) => void,
): readonly Simple[] {
  reduce("numbered-list");
  const { start } = element.properties;
  let number = typeof start === "number" ? start : 1;
  const items = children.map((child) => {
    if (!isElement(child) || child.name !== "li") return child;
    const numbered = simple("li", [`${number}. `, ...child.children], child.attributes);
    number += 1;
    return numbered;
  });
  return [simple("ul", items)];
}

/** Known to the row by identity; a cell that stands in none is a section. */
const CELL = { class: "cell" };

function readRow(_: Element, children: readonly Simple[]): readonly Simple[] {
  const cells = children
    .filter(isElement)
    .filter((child) => child.attributes === CELL && wordsOf(child.children).trim() !== "");
  const words = cells.flatMap((cell, index) => (index === 0 ? cell.children : [" | ", ...cell.children]));
  return words.length === 0 ? [] : [simple("li", words)];
}

/** What stands outside of rows comes before them. */
function readTable(_: Element, children: readonly Simple[]): readonly Simple[] {
  const [rows, others] = [true, false].map((wanted) =>
    children.filter(isElement).filter((child) => (child.name === "li") === wanted),
  );
  return [...(others ?? []), ...(rows === undefined || rows.length === 0 ? [] : [simple("ul", rows)])];
}

function readFrame(element: Element): readonly Simple[] {
  const sources = element.children.map((child) => (child.type === "element" ? textOf(child.properties["src"]) : ""));
  const address = textOf(element.properties["src"]) || (sources.find((source) => source !== "") ?? "");
  return linkTo(address, address);
}

function linkTo(address: string, words: string): readonly Simple[] {
  if (address === "" || !mayBeFollowed(address)) return words === "" ? [] : [words];
  return [simple("a", [words], { href: address })];
}
