import type { Line } from "../../src/model/guide.js";
import { element, voidElement } from "../html/escape-html.js";
import type { PageBlock } from "./block.js";
import { type BlockWriters, writeBlocks } from "./block-writers.js";
import { bulletWord } from "./bullet-words.js";
import type { Fragments } from "./fragments.js";

/** A page as HTML: what stands in a body. */
export function htmlPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, WRITERS, fragments).join("\n")}\n`;
}

const WRITERS: BlockWriters = {
  heading: ({ level, words }, { plain }) => element(`h${level}`, {}, plain(words)),
  words: ({ words }, { plain }) => element("p", {}, plain(words)),
  text: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => listOf(lines, fragments),
  facts: ({ facts }, { plain }) => element("ul", {}, facts.map((fact) => element("li", {}, plain(fact))).join("")),
  image: ({ name, address }) => element("p", {}, voidElement("img", { src: address, alt: name })),
  file: ({ name, address }, { plain }) => element("p", {}, element("a", { href: address }, plain(name))),
};

/** Lines below each other by their level; a level that is jumped over has a list, but no line. */
function listOf(lines: readonly Line[], fragments: Fragments): string {
  let html = "";
  let depth = 0;
  for (const { level, bullet, text } of lines) {
    html +=
      depth > level ? `${"</li></ul>".repeat(depth - level - 1)}</li>` : `<ul>${"<li><ul>".repeat(level - depth)}`;
    depth = level + 1;
    const word = bulletWord(bullet);
    html += `<li>${word === undefined ? "" : `<strong>${word}</strong> `}${fragments.wiki(text, "line")}`;
  }
  return html + "</li></ul>".repeat(depth);
}
