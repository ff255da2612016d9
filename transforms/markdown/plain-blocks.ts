import type { Heading, List, ListItem, Paragraph, Root, RootContent } from "mdast";

/**
 * Parses blocks of words only: paragraphs, headings between empty lines, and lists of one-line
 * items; undefined: other text. The Markdown parser takes many times as long. Offsets count from
 * `begin`, lines from the text.
 */
export function parsePlain(markdown: string, begin = 0): Root | undefined {
  const lines = markdown.split("\n");
  const children: PlainBlock[] = [];
  let marker = "";
  let offset = begin;
  for (let at = 0; at < lines.length; ) {
    if (lines[at] === "") {
      at += 1;
      offset += 1;
      continue;
    }
    const end = lines.indexOf("", at);
    const group = lines.slice(at, end < 0 ? lines.length : end);
    const first = { line: at + 1, column: 1, offset };
    const next = markerOf(group[0] ?? "");
    // A list continues after an empty line.
    const block = next !== "" && next === marker ? undefined : parseBlock(group, first, next);
    if (block === undefined) return undefined;
    children.push(block);
    marker = next;
    at += group.length;
    offset += group.reduce((sum, line) => sum + line.length + 1, 0);
  }
  const end = { line: lines.length, column: (lines.at(-1) ?? "").length + 1, offset: begin + markdown.length };
  return { type: "root", children, position: { start: { line: 1, column: 1, offset: begin }, end } };
}

type PlainBlock = Paragraph | Heading | List;
type Position = NonNullable<Root["position"]>;
type Point = Position["start"];

const HEADING = /^(#{1,6}) (?=\p{L})/u;
const ITEM = /^([-*+]|(\d{1,9})([.)])) (?=\p{L})/u;

function markerOf(line: string): string {
  const [, bullet = "", , delimiter] = ITEM.exec(line) ?? [];
  return delimiter ?? bullet;
}

function parseBlock(lines: readonly string[], start: Point, marker: string): PlainBlock | undefined {
  const [first = ""] = lines;
  if (marker !== "") return parseList(lines, start, marker);
  const [before, signs] = HEADING.exec(first) ?? [];
  if (before === undefined || signs === undefined) return hasAllPlain(lines) ? paragraphOf(lines, start) : undefined;
  const value = first.slice(before.length);
  if (lines.length > 1 || !hasPlainLines(value)) return undefined;
  const { children, position } = paragraphOf([value], behind(start, before.length));
  return {
    type: "heading",
    depth: signs.length as Heading["depth"],
    children,
    position: { start, end: endOf(position) },
  };
}

function parseList(lines: readonly string[], start: Point, marker: string): List | undefined {
  const children: ListItem[] = [];
  let from = start;
  for (const line of lines) {
    const [before = ""] = ITEM.exec(line) ?? [];
    const value = line.slice(before.length);
    if (markerOf(line) !== marker || !hasPlainLines(value)) return undefined;
    const words = paragraphOf([value], behind(from, before.length));
    const position = { start: from, end: endOf(words.position) };
    children.push({ type: "listItem", spread: false, checked: null, children: [words], position });
    from = { line: from.line + 1, column: 1, offset: from.offset === undefined ? 0 : from.offset + line.length + 1 };
  }
  const [, , number] = ITEM.exec(lines[0] ?? "") ?? [];
  const order = number === undefined ? { ordered: false, start: null } : { ordered: true, start: Number(number) };
  return {
    type: "list",
    ...order,
    spread: false,
    children,
    position: { start, end: endOf(children.at(-1)?.position) },
  };
}

function hasAllPlain(lines: readonly string[]): boolean {
  return lines.every(hasPlainLines);
}

function paragraphOf(lines: readonly string[], start: Point): Paragraph & { readonly position: Position } {
  const value = lines.join("\n");
  const last = lines.at(-1) ?? "";
  const column = (lines.length === 1 ? start.column : 1) + last.length;
  const end = { line: start.line + lines.length - 1, column, offset: (start.offset ?? 0) + value.length };
  const position = { start, end };
  return { type: "paragraph", children: [{ type: "text", value, position }], position };
}

function behind({ line, column, offset = 0 }: Point, by: number): Point {
  return { line, column: column + by, offset: offset + by };
}

function endOf(position: Position | undefined): Point {
  return position?.end ?? { line: 1, column: 1, offset: 0 };
}

/** Prints blocks of words only, like the Markdown printer; undefined: other blocks. */
export function printPlain(blocks: readonly RootContent[]): string | undefined {
  const texts: string[] = [];
  let bullet = "";
  for (const block of blocks) {
    bullet = block.type === "list" ? bulletBehind(bullet, block) : "";
    const text = printBlock(block, bullet);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return `${texts.join("\n\n")}\n`;
}

/** Of two neighbouring lists of one kind the second has the other sign. */
function bulletBehind(bullet: string, { ordered }: List): string {
  if (ordered === true) return bullet === "." ? ")" : ".";
  return bullet === "-" ? "*" : "-";
}

function printBlock(block: RootContent, bullet: string): string | undefined {
  if (block.type === "paragraph") return wordsOf(block);
  if (block.type === "heading") {
    const words = lineOf(block);
    return words === undefined ? undefined : `${"#".repeat(block.depth)} ${words}`;
  }
  if (block.type !== "list" || block.spread !== false || block.start != null) return undefined;
  const items: string[] = [];
  for (const { spread, checked, children } of block.children) {
    const [only, ...others] = children;
    const words = only?.type === "paragraph" && others.length === 0 ? lineOf(only) : undefined;
    if (words === undefined || spread !== false || checked != null) return undefined;
    items.push(`${block.ordered === true ? items.length + 1 : ""}${bullet} ${words}`);
  }
  return items.length > 0 ? items.join("\n") : undefined;
}

function wordsOf({ children: [only, ...others] }: Paragraph | Heading): string | undefined {
  return only?.type === "text" && others.length === 0 && hasPlainLines(only.value) ? only.value : undefined;
}

function lineOf(node: Paragraph | Heading): string | undefined {
  const words = wordsOf(node);
  return words?.includes("\n") ? undefined : words;
}

/**
 * Lines without markup in any surroundings: they begin with a letter, or a digit outside of a
 * marker, end without a space, and have no character of markup, of an address, or that the printer
 * escapes.
 */
const PLAIN_LINE =
  /^(?:\p{L}|\d(?!\d*(?:\)|\.(?: |$))))(?:[\p{L}\p{M}\p{N} .,;:?!()"'“”‘’„«»%°/…–—×=+#@-]*[\p{L}\p{M}\p{N}.,;:?!()"'“”‘’„«»%°…–—×])?$/u;

/** Possible addresses that Markdown links without brackets. */
const ADDRESS = /w\.\S|:\/|[^ ]@/i;

/** Ignores empty lines. */
export function hasPlainLines(text: string): boolean {
  return !ADDRESS.test(text) && text.split("\n").every((line) => PLAIN_LINE.test(line));
}
