import type { DocumentNode } from "../../../transforms/document-tree/vocabulary.js";

/**
 * What a document tree says, block by block and character by character: each that is no blank with
 * its marks. Blanks, the division into nodes and empty paragraphs say nothing, neither do guards.
 */
export function saidBy(node: DocumentNode): readonly string[] {
  return linesOf(node, "");
}

const INLINE = new Set(["text", "hard_break", "image"]);

function linesOf(node: DocumentNode, around: string): readonly string[] {
  const { content = [] } = node;
  const here = `${around}/${node.type}${levelOf(node)}`;
  const blocks = content.filter(({ type }) => !INLINE.has(type)).flatMap((child) => linesOf(child, here));
  const characters = content.filter(({ type }) => INLINE.has(type)).flatMap(charactersOf);
  return characters.length > 0 ? [`${here}: ${characters.join(" ")}`, ...blocks] : blocks;
}

function levelOf({ type, attrs }: DocumentNode): string {
  if (attrs === undefined || Array.isArray(attrs)) return "";
  if (type === "heading") return JSON.stringify(Object.entries(attrs));
  return type === "blockquote" ? `(${JSON.stringify(saidByAttribute(Object.fromEntries(Object.entries(attrs))))})` : "";
}

function saidByAttribute({ attribute }: Readonly<Record<string, unknown>>): unknown {
  return typeof attribute === "object" && attribute !== null ? saidBy(attribute as DocumentNode) : [];
}

function charactersOf({ type, text = "", marks = [], attrs }: DocumentNode): readonly string[] {
  if (type === "hard_break") return ["⏎"];
  if (type === "image") return [`image${JSON.stringify(attrs)}`.replace(/"src":"[^"]*",/, "")];
  // An address between brackets is the link that the site makes of a bare one; there may be guards
  // in what it shows.
  const label = text.replaceAll("\u200B", "").trim();
  const shown = marks.filter(({ attrs }) => attrs?.["href"] !== label || attrs["target"] === "_blank");
  const names = shown.map((mark) => `${mark.type}${hrefOf(mark.attrs)}`).sort();
  return [...text]
    .filter((character) => !/[\s\u200B]/.test(character))
    .map((each) => [WIDE.get(each) ?? each, ...names].join("+"));
}

/** Brackets that would end a macro are written wide. */
const WIDE = new Map([
  ["\uFF3B", "["],
  ["\uFF3D", "]"],
]);

function hrefOf(attrs: Readonly<Record<string, unknown>> = {}): string {
  return attrs["href"] === undefined ? "" : `(${String(attrs["href"])} ${String(attrs["target"] ?? "")})`;
}
