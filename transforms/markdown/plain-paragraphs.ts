import type { Paragraph, Root, RootContent } from "mdast";
import { hasPlainLines } from "./plain-lines.js";

/**
 * What the Markdown parser gives for paragraphs of nothing but words, as most lines of steps are; undefined for all other texts.
 * The parser takes many times as long for them.
 */
export function parsePlain(markdown: string): Root | undefined {
  if (!isPlain(markdown)) return undefined;
  const lines = markdown.split("\n");
  const children: Paragraph[] = [];
  let begun: Begun | undefined;
  let offset = 0;
  lines.forEach((value, index) => {
    if (value !== "") begun ??= { from: index, start: { line: index + 1, column: 1, offset } };
    offset += value.length + 1;
    if (begun === undefined || (lines[index + 1] ?? "") !== "") return;
    const end = { line: index + 1, column: value.length + 1, offset: offset - 1 };
    children.push(paragraphOf(lines.slice(begun.from, index + 1).join("\n"), { start: begun.start, end }));
    begun = undefined;
  });
  const last = lines.at(-1) ?? "";
  const end = { line: lines.length, column: last.length + 1, offset: markdown.length };
  return { type: "root", children, position: { start: { line: 1, column: 1, offset: 0 }, end } };
}

/** Are there only paragraphs of words? */
export function isPlain(markdown: string): boolean {
  return markdown.split("\n").every((line) => line === "" || hasPlainLines(line));
}

type Position = NonNullable<Root["position"]>;

/** A paragraph whose end is not found yet. */
interface Begun {
  readonly from: number;
  readonly start: Position["start"];
}

function paragraphOf(value: string, position: Position): Paragraph {
  return { type: "paragraph", children: [{ type: "text", value, position }], position };
}

/** What the Markdown printer gives for paragraphs of nothing but words; undefined for anything else. */
export function printPlain(blocks: readonly RootContent[]): string | undefined {
  const texts: string[] = [];
  for (const block of blocks) {
    const [only, ...others] = block.type === "paragraph" ? block.children : [];
    if (only?.type !== "text" || others.length > 0 || !hasPlainLines(only.value)) return undefined;
    texts.push(only.value);
  }
  return `${texts.join("\n\n")}\n`;
}
