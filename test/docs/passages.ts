import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A text that people read: a message, a label, an element of a page, a paragraph of the docs. */
export interface Passage {
  /** `src/cli.ts:12`. */
  readonly place: string;
  /** Values that are put in when the program runs, code and markup stand as `X`. */
  readonly text: string;
}

/**
 * The texts in the string literals, templates and elements of a TypeScript file. Leaves out
 * single words, statements of SQL and attributes that no one reads.
 */
export function passagesOfCode(path: string): readonly Passage[] {
  const source = readFileSync(join(ROOT, path), "utf8");
  const passages: Passage[] = [];
  const add = (text: string, start: number): void => {
    if (!/[\p{L}X]['’]?\p{L}* +\S/u.test(text) || SQL.test(text)) return;
    // Help texts wrap their lines.
    const joined = text.replace(/(?<=\S)\n(?=\S)/g, " ");
    passages.push({ place: `${path}:${source.slice(0, start).split("\n").length}`, text: joined });
  };
  for (const node of parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }).body) visit({ ...node }, add);
  return passages;
}

/** The paragraphs, headings, list items and cells of a page of Markdown, without its blocks of code and comments. */
export function passagesOfPage(path: string): readonly Passage[] {
  const page = readFileSync(join(ROOT, path), "utf8").replace(
    /<!--[\s\S]*?-->|^( *)(```+|~~~+)[\s\S]*?^\1\2`*$/gm,
    (block) => block.replace(/[^\n]/g, ""),
  );
  const passages: Passage[] = [];
  for (const { 0: part, index } of page.matchAll(/(?:(?!\n\s*(?:\n|[-*] |\d+\. |#|\|))[^|])+/g)) {
    const text = part
      .replace(/\]\([^)]*\)/g, "]")
      .replace(/`[^`]+`/g, "X")
      .replace(/[*[\]]|^\s*(?:[-*>#]+|\d+\.) /g, "")
      .replace(/\s+/g, " ")
      .trim();
    if (/\p{L}+ +\S/u.test(text)) passages.push({ place: `${path}:${page.slice(0, index).split("\n").length}`, text });
  }
  return passages;
}

/** The sentences of a passage. A line of its own and an entry between middle dots count as sentences. */
export function sentencesOf({ text }: Passage): readonly string[] {
  return text.split(/(?<=[.!?…]["')\]]*)\s+|\n+| · /).filter((sentence) => /\p{L}/u.test(sentence));
}

/** Words of a sentence; a number, a value and an option count as one. */
export function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const SQL =
  /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:TEMP )?(?:TABLE|INDEX|TRIGGER|VIEW|UNIQUE)|ALTER TABLE|DROP TABLE|WHERE|ORDER BY|PRAGMA|ATTACH|JOIN)\b/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The nodes of a property: one, several or none. */
function nodesIn(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

type Add = (text: string, start: number) => void;

function visit(node: Node, add: Add): void {
  const text = textOf(node);
  if (text !== undefined) add(text, node.start);
  for (const child of childrenOf(node)) visit(child, add);
}

/** The whole text of a literal, a template, a sum of them, or an element of a page. */
function textOf(node: Node): string | undefined {
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? node["value"] : undefined;
    case "TemplateLiteral":
      return nodesIn(node["quasis"])
        .map((part) => z.object({ cooked: z.string() }).parse(part["value"]).cooked)
        .join("X");
    case "BinaryExpression":
      return node["operator"] === "+" ? sumText(node) : undefined;
    case "JSXElement":
    case "JSXFragment":
      return nodesIn(node["children"]).map(pageText).join("").replace(/\s+/g, " ").trim();
    default:
      return undefined;
  }
}

function sumText(node: Node): string | undefined {
  const parts = nodesIn([node["left"], node["right"]]).map(textOf);
  return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? "X").join("");
}

/** Elements within a sentence. Others are passages of their own. */
const INLINE = /^(?:a|b|i|em|strong|span|small|time|mark)$/;

function pageText(node: Node): string {
  if (node.type === "JSXText") return z.string().parse(node["value"]);
  if (node.type === "JSXExpressionContainer") {
    const [inner] = nodesIn(node["expression"]);
    return inner?.type === "Literal" ? String(inner["value"]) : "X";
  }
  const [opening] = nodesIn(node["openingElement"]);
  return opening !== undefined && INLINE.test(nameOf(opening)) ? nodesIn(node["children"]).map(pageText).join("") : "X";
}

/** `a` of an element's tag, `title` of an attribute. */
function nameOf(node: Node): string {
  const [name] = nodesIn(node["name"]);
  return typeof name?.["name"] === "string" ? name["name"] : "";
}

/** Attributes with a text. */
const READ = /^(?:title|alt|aria-label|placeholder|label|caption|summary|heading|text|children)$/;

function childrenOf(node: Node): readonly Node[] {
  if (/^(?:Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(node.type)) return [];
  if (node.type === "TaggedTemplateExpression") return nodesIn(nodesIn(node["quasi"])[0]?.["expressions"]);
  if (node.type === "JSXAttribute" && !READ.test(nameOf(node)) && nodesIn(node["value"])[0]?.type === "Literal")
    return [];
  const { key: _, source: __, ...rest } = node;
  const isPart = node.type === "BinaryExpression" && textOf(node) !== undefined;
  const children = Object.values(rest).flatMap(nodesIn);
  return isPart
    ? children.filter((child) => textOf(child) === undefined || child.type === "TemplateLiteral").flatMap(insideOf)
    : children;
}

/** What a template puts in: its own text is part of the sum. */
function insideOf(node: Node): readonly Node[] {
  return node.type === "TemplateLiteral" ? nodesIn(node["expressions"]) : [node];
}
