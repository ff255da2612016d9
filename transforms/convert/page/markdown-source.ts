import type { Link, ListItem, Nodes, Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import { UsageError } from "../../../src/core/errors.js";
import { type Conversion, conversionOf, type Flow, tellAt } from "../../markdown/conversion.js";
import { readBlock } from "../../markdown/from-markdown.js";
import { MOST_LINES } from "../../markdown/is-costly.js";
import { parseMarkdown } from "../../markdown/parse-markdown.js";
import { heading, text } from "../../wiki/build.js";
import type { Draft, Tell } from "../../wiki/draft.js";
import { carriedMark, readFileTitle, readLineComment, TEXT_FIELDS, type TextField, textComments } from "./labels.js";
import { ImageTable, type PagePiece, type PageSource } from "./page-source.js";

/** Throws UsageError for Markdown that is nested too deep or too large. */
export function markdownSource(markdown: string): PageSource {
  const { front, body } = frontMatterOf(markdown);
  const root = parseMarkdown(body);
  if (root === undefined) throw new UsageError(TOO_DEEP);
  const table = new ImageTable();
  const conversion = conversionOf(root, "page");
  takeImages(root, table, conversion);
  moveMarks(root);
  const pieces = [
    ...frontPieces(front, topHeading(root), conversion),
    ...piecesOf(root.children as Flow[], conversion),
  ];
  return { pieces, images: table.images, issues: conversion.issues };
}

function topHeading({ children }: Root): string | undefined {
  const top = children.find((node) => node.type === "heading" && node.depth === 1);
  return top?.type === "heading" ? top.children.map(wordsOf).join("") : undefined;
}

const TOO_DEEP =
  "The Markdown is nested too deep, has too many marks in one paragraph, or has more than " +
  `${MOST_LINES} lines in one list, quote, table or code block.`;

function piecesOf(nodes: readonly Flow[], conversion: Conversion): readonly PagePiece[] {
  const pieces: PagePiece[] = [];
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as Flow;
    const field = fieldAt(node);
    const end = field === undefined ? -1 : nodes.findIndex((other, place) => place > at && isClose(other, field));
    if (field !== undefined && end >= 0) {
      pieces.push({
        type: "text",
        field,
        drafts: nodes.slice(at + 1, end).flatMap((each) => draftsOf(each, conversion)),
      });
      at = end;
    } else
      pieces.push(
        ...(fileOf(node, tellAt(conversion, node)) ??
          draftsOf(node, conversion).map((draft) => ({ type: "block", draft }) as const)),
      );
  }
  return pieces;
}

/** Each medium of a paragraph reports its own issues; the rest of the block reports together. */
function draftsOf(node: Flow, conversion: Conversion): readonly Draft[] {
  const tell = tellAt(conversion, node);
  return readBlock(node, conversion).map((block) => ({ block, tell }));
}

function fieldAt(node: RootContent): TextField | undefined {
  return node.type === "html" ? TEXT_FIELDS.find((field) => node.value.trim() === textComments(field)[0]) : undefined;
}

function isClose(node: RootContent, field: TextField): boolean {
  return node.type === "html" && node.value.trim() === textComments(field)[1];
}

function fileOf(node: Flow, tell: Tell): readonly PagePiece[] | undefined {
  const only = node.type === "paragraph" && node.children.length === 1 ? node.children[0] : undefined;
  if (only?.type !== "link") return undefined;
  const readTitle = readFileTitle(only.title);
  return readTitle === undefined
    ? undefined
    : [{ type: "file", ...readTitle, name: wordsOf(only), address: only.url, tell }];
}

function wordsOf(node: Link | PhrasingContent): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(wordsOf).join("") : "";
}

/** Gives images by address an id, so that the reader of texts keeps their positions. */
function takeImages(node: Nodes, table: ImageTable, conversion: Conversion): void {
  for (const child of "children" in node ? node.children : []) takeImages(child, table, conversion);
  if (node.type !== "image" && node.type !== "imageReference") return;
  const { url, title } = node.type === "image" ? node : (conversion.definitions.get(node.identifier) ?? { url: "" });
  const id = /^(?:image|video|guidelist):/i.test(url) ? undefined : table.take(url, node.alt ?? "");
  if (id === undefined) return;
  if (title)
    tellAt(conversion, node)("image-title", "loss", `A guide does not have titles of images. "${title}" is left out.`);
  const { position } = node;
  const image = { type: "image", url: `image:${id}`, title: null, alt: "", position } as const;
  Object.assign(node, image);
}

/** Moves the mark after a line before its words. */
function moveMarks(root: Root): void {
  for (const item of itemsIn(root)) {
    const [first] = item.children;
    const mark = first?.type === "html" ? readLineComment(first.value) : undefined;
    if (mark !== undefined) item.children[0] = paragraphOf([{ type: "text", value: carriedMark(mark) }], first);
    else if (first?.type === "paragraph") moveMark(first);
  }
}

function moveMark(paragraph: Paragraph): void {
  const last = paragraph.children.at(-1);
  const mark = last?.type === "html" ? readLineComment(last.value) : undefined;
  if (mark === undefined) return;
  paragraph.children.pop();
  const before = paragraph.children.at(-1);
  if (before?.type === "text") before.value = before.value.replace(/[ \t]+$/, "");
  paragraph.children.unshift({ type: "text", value: carriedMark(mark) });
}

function paragraphOf(children: PhrasingContent[], { position }: Nodes = { type: "root", children: [] }): Paragraph {
  return position === undefined ? { type: "paragraph", children } : { type: "paragraph", children, position };
}

function itemsIn(node: Nodes): readonly ListItem[] {
  const inside = "children" in node ? node.children.flatMap(itemsIn) : [];
  return node.type === "listItem" ? [node, ...inside] : inside;
}

const FRONT = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** Front matter of publishing programs. Spaces replace it, so that all offsets stay. */
function frontMatterOf(markdown: string): { readonly front: string | undefined; readonly body: string } {
  const [found, front] = FRONT.exec(markdown) ?? [];
  const isOne = found !== undefined && front !== undefined && /^[\w-]+[ \t]*:/.test(front.trimStart());
  if (!isOne) return { front: undefined, body: markdown };
  return { front, body: found.replace(/[^\r\n]/g, " ") + markdown.slice(found.length) };
}

/** `top`: a heading that has the title already. Reports other fields. */
function frontPieces(front: string | undefined, top: string | undefined, conversion: Conversion): readonly PagePiece[] {
  if (front === undefined) return [];
  const lines = front.split(/\r?\n/);
  const frontTitle = lines.map(titleIn).find((each) => each !== undefined);
  const title = top === undefined ? frontTitle : undefined;
  const others = lines.filter((line) => /^[\w-]+[ \t]*:/.test(line) && ![top, title].includes(titleIn(line) ?? line));
  const tell = tellAt(conversion, { type: "root" });
  if (others.length > 0) {
    const message = `Only the title of the front matter is read. Left out: ${others.join(", ").slice(0, 200)}.`;
    tell("front-matter", "loss", message);
  }
  if (title === undefined) return [];
  return [{ type: "block", draft: { block: heading(1, [text(title)]), tell } }];
}

function titleIn(line: string): string | undefined {
  const value = /^title[ \t]*:[ \t]*(.+)$/i.exec(line)?.[1]?.trim();
  return value?.replace(/^(["'])(.*)\1$/, "$2") || undefined;
}
