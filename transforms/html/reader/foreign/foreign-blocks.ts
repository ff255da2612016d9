import type { Element, ElementContent } from "hast";
import { classesOf, property } from "../../from/reading.js";
import { codeNode } from "../code-node.js";
import { node, saysSomething, words, wordsIn } from "../node.js";
import { amongWords, type ReaderContext } from "../reader-context.js";
import { type ForeignHandler, type ReadNodes, tongueOf } from "./foreign-handler.js";

/** Elements that only say that a block begins and ends. Parts of lists and tables are such where they stand in none. */
const SECTIONS = [
  ...["div", "address", "article", "aside", "center", "details", "footer", "header", "main", "nav", "section"],
  ...["figure", "figcaption", "li", "dt", "dd", "caption", "td", "th", "tr"],
];

/** Blocks of words. */
export const FOREIGN_BLOCKS: Readonly<Record<string, ForeignHandler>> = {
  ...Object.fromEntries(SECTIONS.map((name): [string, ForeignHandler] => [name, readSection])),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level): [string, ForeignHandler] => [`h${level}`, readHeading])),
  p: readParagraph,
  summary: (element, context, read) =>
    block(context, "p", [node("strong", read(element.children, amongWords(context)))], element),
  blockquote: readQuote,
  pre: (element, context, read) =>
    context.blocks ? [codeNode(textIn(element))] : apart(read(element.children, context)),
  hr: (_, { blocks }) => [node(blocks ? "hr" : "br", [])],
};

function readSection(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  return block(context, "div", read(element.children, context), element);
}

function readParagraph(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const content = read(element.children, amongWords(context));
  return content.length === 0 ? [] : block(context, "p", content, element);
}

function block(
  { blocks }: ReaderContext,
  name: string,
  content: readonly ElementContent[],
  element: Element,
): readonly ElementContent[] {
  return blocks ? [node(name, content, tongueOf(element))] : apart(content);
}

/** Where no block may stand, a blank keeps its words apart from those around it. */
function apart(content: readonly ElementContent[]): readonly ElementContent[] {
  return [words(" "), ...content, words(" ")];
}

/** Its own id, if it is one of the site's, keeps links to it alive; else it is made of the words, as the site does. */
function readHeading(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const content = read(element.children, amongWords(context));
  if (!context.blocks) return apart(content);
  if (!saysSomething(content)) return content.length === 0 ? [] : [node("p", content)];
  const own = property(element, "id");
  const name = /^Section_\S*$/.test(own) ? own : `Section_${wordsIn(content).trim().replace(/[\s-]/g, "_")}`;
  const { level, id } = context.outline(Number(element.tagName.slice(1)), name);
  return [node(`h${level}`, content, { id, ...tongueOf(element) })];
}

function readQuote(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const content = read(element.children, context);
  if (!context.blocks) return apart(content);
  const featured = classesOf(element).includes("featured") ? { className: ["featured"] } : {};
  return [node("blockquote", content, { ...featured, ...tongueOf(element) })];
}

function textIn({ children }: Element): string {
  const parts = children.map((child) => {
    if (child.type === "text") return child.value;
    if (child.type !== "element") return "";
    return child.tagName === "br" ? "\n" : textIn(child);
  });
  return parts.join("");
}
