import type { Answer } from "../state/answer.js";
import type { Site } from "../state/site.js";
import { renderBlocks } from "./render/render-blocks.js";
import { renderInlines } from "./render/render-inlines.js";

/**
 * HTML of wiki text, as a modern site of the service renders it (syntax facts, 2 and 3). A loaded answer's own HTML is served while
 * its raw text is unchanged, so this is only for texts that were written here.
 */
export function renderText(site: Site, raw: string): string {
  return renderBlocks(site, raw);
}

/** HTML of one line: no paragraph around it, no media in it. */
export function renderLine(site: Site, raw: string): string {
  return renderInlines(site, raw, true);
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
