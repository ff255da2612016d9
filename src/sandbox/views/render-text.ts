import type { Answer } from "../state/answer.js";

/**
 * HTML of wiki text, as far as a rehearsal needs it: escaped, strong and em, links, paragraphs. A loaded answer's own
 * HTML is served while its raw text is unchanged, so this is only for texts that were written here.
 */
export function renderText(raw: string): string {
  if (raw === "") return "";
  return raw
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${renderLine(paragraph)}</p>`)
    .join("\n");
}

/** HTML of one line: no paragraph around it. */
export function renderLine(raw: string): string {
  return raw
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/'''(.+?)'''/g, "<strong>$1</strong>")
    .replaceAll(/''(.+?)''/g, "<em>$1</em>")
    .replaceAll(/\[(https?:\/\/[^|\]\s]+)\|([^|\]]+)\]/g, '<a href="$1">$2</a>')
    .replaceAll("\n", "<br />");
}

/** A document tree of the text: one paragraph a block. Empty `attrs` are an empty array (facts, 3.9). */
export function textTree(raw: string): Answer {
  if (raw === "") return { type: "doc", content: [] };
  const content = raw.split(/\n{2,}/).map((text) => ({
    type: "paragraph",
    attrs: [],
    content: [{ type: "text", text }],
  }));
  return { type: "doc", content };
}
